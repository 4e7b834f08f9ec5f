import {isServiceError, NotFoundError} from '../../api/errors.ts';
import {delay} from '../../api/timing.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {Clock} from '../../sync/core/clock.ts';
import type {Transcript} from '../messages/transcript.ts';
import {isTemporary} from '../retry-until-found.ts';

type WaitOptions = {
	readonly transcript: Transcript;
	/** The service's id of the message to be answered. */
	readonly messageId: string;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** Reads the session's status, by a write (PATCH with `{}`). Absent if the configuration forbids that. */
	readonly status?: () => Promise<string | undefined>;
};

const pollInterval = 1000;
/** Without a status, an answer unchanged for this long counts as complete, ms. */
const quietTime = 8000;
/** Quiet time before a status request, and minimum time between two, ms. */
const probeAfter = 1500;

/**
 * Waits for the answer to a message: the messages after it, up to the user's next one. It is complete when
 * the service reports the session idle or, without a status, when it has stopped changing for a while.
 */
export async function waitForAnswer(waiting: WaitOptions): Promise<readonly TimelineItem[]> {
	const {transcript, messageId, clock, signal, status} = waiting;
	let changedAt = clock.now();
	let probedAt = 0;
	let canProbe = status !== undefined;
	for (;;) {
		const newItems = await transcript.poll(signal).catch(ignoreTemporary);
		const now = clock.now();
		if (newItems.length > 0) changedAt = now;
		const answer = answerTo(messageId, transcript.items());
		const quiet = now - changedAt;
		if (answer.length > 0 && canProbe && quiet >= probeAfter && now - probedAt >= probeAfter) {
			probedAt = now;
			try {
				if ((await status?.()) === 'idle') return answer;
			} catch (error) {
				if (!isServiceError(error)) throw error;
				canProbe = false;
			}
		}
		if (answer.length > 0 && !canProbe && quiet >= quietTime) return answer;
		await delay(clock, pollInterval, signal);
	}
}

/** Ignores temporary failures: the message was accepted, only its answer is missing. */
function ignoreTemporary(error: unknown): readonly TimelineItem[] {
	if (isTemporary(error) || error instanceof NotFoundError) return [];
	throw error;
}

function answerTo(messageId: string, items: readonly TimelineItem[]): readonly TimelineItem[] {
	const index = items.findIndex(({id}) => id === messageId);
	if (index < 0) return [];
	const after = items.slice(index + 1);
	const next = after.findIndex(({role}) => role === 'user');
	return next < 0 ? after : after.slice(0, next);
}
