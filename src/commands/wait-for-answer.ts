import {isServiceError, NotFoundError} from '../api/errors.ts';
import {outcomeOf} from '../api/outcome.ts';
import type {TimelineItem} from '../domain/timeline.ts';
import type {Clock} from '../sync/clock.ts';
import {delay} from './delay.ts';
import type {Transcript} from './transcript.ts';

export type WaitOptions = {
	readonly transcript: Transcript;
	/** The service's id of the message that is to be answered. */
	readonly messageId: string;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** Reads the session's status. Absent where it may not be asked: the only read is a write (PATCH with `{}`). */
	readonly status?: () => Promise<string | undefined>;
};

const cadence = 1000;
/** How long an answer must stand still to count as whole, when no status can be asked for, ms. */
const quietTime = 8000;
/** The same before the status is asked, and between two askings, ms. */
const probeAfter = 1500;

/**
 * Waits for the answer to a message: everything after it that the user didn't write. It is whole when the service
 * says the session is idle, or, where that can't be asked, when it has stood still for a while.
 */
export async function waitForAnswer(waiting: WaitOptions): Promise<readonly TimelineItem[]> {
	const {transcript, messageId, clock, signal, status} = waiting;
	let changedAt = clock.now();
	let probedAt = 0;
	let isProbed = status !== undefined;
	for (;;) {
		const newItems = await transcript.poll(signal).catch(tolerate);
		const now = clock.now();
		if (newItems.length > 0) changedAt = now;
		const answer = answerTo(messageId, transcript.items());
		const quiet = now - changedAt;
		if (answer.length > 0 && isProbed && quiet >= probeAfter && now - probedAt >= probeAfter) {
			probedAt = now;
			try {
				if ((await status?.()) === 'idle') return answer;
			} catch (error) {
				if (!isServiceError(error)) throw error;
				isProbed = false;
			}
		}
		if (answer.length > 0 && !isProbed && quiet >= quietTime) return answer;
		await delay(clock, cadence, signal);
	}
}

/** What passes by itself is waited out: the message was accepted, and only its answer is missing. */
function tolerate(error: unknown): readonly TimelineItem[] {
	const isPassing = ['not-sent', 'wait', 'unknown'].includes(outcomeOf(error));
	if (isServiceError(error) && (isPassing || error instanceof NotFoundError)) return [];
	throw error;
}

function answerTo(messageId: string, items: readonly TimelineItem[]): readonly TimelineItem[] {
	const index = items.findIndex(({id}) => id === messageId);
	if (index < 0) return [];
	const after = items.slice(index + 1);
	const next = after.findIndex(({role}) => role === 'user');
	return next < 0 ? after : after.slice(0, next);
}
