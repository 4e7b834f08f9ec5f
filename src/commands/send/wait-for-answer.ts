import {
	AbortError,
	isServiceError,
	MalformedError,
	NotFoundError,
	RateLimitedError,
	type ServiceError,
} from '../../api/errors.ts';
import {delay} from '../../api/http/timing.ts';
import type {Clock} from '../../domain/clock.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import {quietTurn} from '../../domain/sessions/activity.ts';
import type {SafeWrite} from '../../sync/core/safe-write.ts';
import type {Registry} from '../../sync/fleet/registry.ts';
import type {ActivityReading} from '../../sync/messages/activity-recorder.ts';
import type {Thread} from '../../sync/messages/thread.ts';
import {isTemporary} from '../cli/errors.ts';
import type {Connected} from '../cli/registry.ts';
import {openThread} from '../messages/open-thread.ts';
import {createRecorder} from '../messages/read-activity.ts';
import {strings} from './strings.ts';

type WaitOptions = Pick<Connected, 'service' | 'database' | 'skew'> & {
	readonly registry: Registry;
	readonly sessionId: string;
	readonly computerId?: string;
	/** The service's id of the message to be answered. */
	readonly messageId: string;
	readonly clock: Clock;
	readonly safeWrite: SafeWrite;
	readonly signal: AbortSignal;
	/** Reads the session's status, by a write (PATCH with `{}`). Absent if that is forbidden or was refused. */
	readonly status?: () => Promise<string | undefined>;
	/** Whether that is no write, as in an embedded service. */
	readonly isEmbedded: () => boolean;
	/** Called at first and after each read with the reason for waiting. */
	readonly onWait?: (reason: string) => void;
	/** Called after each read with why it failed; undefined if it succeeded. */
	readonly onRead?: (problem: string | undefined) => void;
};

const {answer: text} = strings;

const pollInterval = 1000;
/** Quiet time before a status request, and minimum time between two, ms. */
const probes = {
	embedded: {after: 1500, apart: 1500},
	hosted: {after: 5000, apart: 15_000},
};

/** Messages that answer one of ours. `isAssumed`: only silence shows that there are no more. */
type Answer = {readonly items: readonly TimelineItem[]; readonly isAssumed: boolean};

/**
 * Waits for the answer to a message: the messages after it, up to the user's next one. It is complete when the service
 * reports the session idle. Without a status, that is assumed when its messages say that the agent is done and have
 * stood unchanged for `quietTurn`. What they say of the session's state is saved.
 */
export async function waitForAnswer(waiting: WaitOptions): Promise<Answer> {
	const {sessionId, messageId, registry, clock, signal, status, isEmbedded, onWait, onRead} = waiting;
	const activity = createRecorder(waiting, clock);
	const {thread, update} = openThread(waiting);
	let changedAt = clock.now();
	let probedAt = 0;
	let canProbe = status !== undefined;
	let problem: string | undefined;
	let lastReading: ActivityReading | undefined;
	const read = async () => {
		try {
			const {items, reading} = await update(signal);
			lastReading = {...reading, changed: new Set()};
			activity.record(sessionId, reading);
			problem = undefined;
			return items;
		} catch (error) {
			// A read that is aborted before its next try has failed before.
			const failure = error instanceof AbortError ? error.cause : error;
			// One that waits for the time the service set says less than the response that set it.
			const isHeldBack = failure instanceof RateLimitedError && failure.status === undefined;
			if (mayPass(failure) && !isHeldBack) problem = failure.what;
			if (mayPass(error)) return [];
			throw error;
		} finally {
			onRead?.(problem);
		}
	};
	onWait?.(text.noAnswer);
	for (;;) {
		const newItems = await read();
		const now = clock.now();
		if (newItems.length > 0) changedAt = now;
		const {answer, isFollowed} = answerTo(messageId, thread);
		const quiet = now - changedAt;
		if (answer.length > 0 && isFollowed && quiet >= quietTurn) return {items: answer, isAssumed: false};
		const {after, apart} = probes[isEmbedded() ? 'embedded' : 'hosted'];
		if (answer.length > 0 && canProbe && quiet >= after && now - probedAt >= apart) {
			probedAt = now;
			try {
				const value = await status?.();
				if (value === 'idle') {
					registry.setStatus(sessionId, {value, source: 'updated', at: clock.now()});
					if (lastReading) activity.record(sessionId, lastReading);
					return {items: answer, isAssumed: false};
				}
				canProbe = value !== undefined;
			} catch (error) {
				if (!isServiceError(error)) throw error;
				canProbe = mayPass(error) && !(error instanceof MalformedError);
			}
		}
		const isAtWork = registry.session(sessionId)?.activity?.state === 'working';
		if (answer.length > 0 && !canProbe && quiet >= quietTurn && !isAtWork)
			return {items: answer, isAssumed: true};
		const state = canProbe || quiet >= quietTurn ? text.atWork : text.quiet(quiet, quietTurn);
		onWait?.(problem ?? (answer.length === 0 ? text.noAnswer : state));
		await delay(clock, pollInterval, signal);
	}
}

/** Whether to go on waiting: the message was accepted, only its answer is missing. */
function mayPass(error: unknown): error is ServiceError {
	return isTemporary(error) || error instanceof NotFoundError;
}

/**
 * What follows a message, up to where the user or the answer to another message goes on: messages that waited for
 * their turn stand before the answers. `isFollowed`: that has come, so the answer is complete.
 */
function answerTo(messageId: string, thread: Thread) {
	const items = thread.items();
	const users = items.filter(({role}) => role === 'user').map(({id}) => id);
	const isFirstAnswered = namesAnswered(messageId, items) || thread.window.hasOlder;
	const others = new Set(users.slice(isFirstAnswered ? 0 : 1).filter(id => id !== messageId));
	const isOther = ({role, message: {parentId = ''}}: TimelineItem) => role === 'user' || others.has(parentId);
	const index = items.findIndex(({id}) => id === messageId);
	const after = index < 0 ? [] : items.slice(index + 1);
	const start = after.findIndex(item => !isOther(item));
	const later = start < 0 ? [] : after.slice(start);
	const end = later.findIndex(isOther);
	return {answer: end < 0 ? later : later.slice(0, end), isFollowed: end >= 0};
}

/**
 * Whether a `parentId` that names the first message means an answer to it. The contract leaves that open: it may mean no
 * more than the thread. It counts once a message names this one, or if the service tells turns apart.
 */
function namesAnswered(messageId: string, items: readonly TimelineItem[]): boolean {
	return items.some(
		({id, message}) =>
			message.parentId === messageId || (id === messageId && message.isWaiting !== undefined),
	);
}
