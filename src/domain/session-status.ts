import type {MessageRole} from './message.ts';
import type {Observed} from './observed.ts';
import type {OpenEnum} from './open-enum.ts';
import type {SessionStatus} from './session.ts';

export type KnownStatus = Observed<OpenEnum<SessionStatus>>;

/** What the follower of a session has seen of its turn. Times are Unix ms, ours. */
export type Turn = {
	/** When our last message was accepted. */
	readonly postedAt?: number;
	/** When a poll last found something new; a first reading doesn't count. */
	readonly changedAt?: number;
	/** Who wrote the newest message. */
	readonly newestRole?: MessageRole;
};

/** How long the tail must be quiet after an answer until the turn counts as over, ms. */
export const quietTail = 15_000;
/** How long a status is believed to be busy while nothing at all happens, ms. */
const busyFor = 600_000;
/** A message found this soon after a Stop event belongs to the turn that ended, ms. */
const afterStop = 10_000;

export function isBusy(status: KnownStatus | undefined): boolean {
	return status?.value === 'running' || status?.value === 'pending' || isTurnWord(status);
}

/** Would the service tell more than is known? A quiet session at work says nothing; of one at rest its messages tell. */
export function isWorthAsking(status: KnownStatus | undefined): boolean {
	return status === undefined || status.value === 'unknown' || isBusy(status);
}

const ourWords: readonly string[] = ['idle', 'pending', 'running', 'unknown'];

/**
 * A word of the service that we don't know, told when it took our message: whatever it means, it is of the turn that
 * began with it. It stays on screen as it came until the turn is over.
 */
function isTurnWord(status: KnownStatus | undefined): boolean {
	return status?.source === 'posted' && !ourWords.includes(status.value);
}

/** When a status stops being believed, Unix ms; infinity for one that nothing need confirm. */
export function statusExpiresAt(status: KnownStatus): number {
	return isBusy(status) ? status.at + busyFor : Number.POSITIVE_INFINITY;
}

/** The status as it may be shown at `now`: busy is not believed for ever, and what it became nobody told. */
export function expireStatus(status: KnownStatus, now: number): KnownStatus {
	return now <= statusExpiresAt(status) ? status : {...status, value: 'unknown'};
}

/** A status that an earlier run learned. */
export function recallStatus(status: KnownStatus, now: number): KnownStatus {
	return {...expireStatus(status, now), source: 'memory'};
}

/** Was our message accepted and nothing seen of an answer yet? */
function isAnswerDue({postedAt, changedAt, newestRole}: Turn, now: number): boolean {
	if (postedAt === undefined || now - postedAt > busyFor) return false;
	return changedAt === undefined || changedAt < postedAt || newestRole === 'user';
}

/**
 * The status to believe after the service or a hook reported one. An `idle` while our own message is still unanswered
 * settles nothing: the agent may not have started yet.
 */
export function reportedStatus(
	current: KnownStatus | undefined,
	reported: KnownStatus,
	turn: Turn,
): KnownStatus | undefined {
	if (reported.source === 'hook') return reported;
	// Who asks as the agent stops may be told of the turn that has just ended.
	if (isBusy(reported))
		return reported.source === 'updated' && isStopped(current, reported.at) ? current : reported;
	if (reported.value !== 'idle') return reported;
	const isOurPost = reported.source === 'posted' || isAnswerDue(turn, reported.at);
	return isOurPost && !isBusySince(current, turn.postedAt) ? current : reported;
}

function isBusySince(status: KnownStatus | undefined, since: number | undefined): boolean {
	return isBusy(status) && since !== undefined && (status?.at ?? 0) > since;
}

/** Did a hook event say that the turn is over, so shortly before `at` that what is seen then still belongs to it? */
function isStopped(status: KnownStatus | undefined, at: number): boolean {
	return status?.source === 'hook' && status.value === 'idle' && at - status.at < afterStop;
}

/**
 * The status that the messages themselves tell, where it differs from the current one. `isAsked`: the service is asked
 * for it again and again, so that silence tells nothing: an agent may be at work without a word.
 */
export function activeStatus(
	current: KnownStatus | undefined,
	turn: Turn,
	now: number,
	isAsked = false,
): KnownStatus | undefined {
	const {changedAt, newestRole} = turn;
	if (changedAt === undefined || newestRole === undefined || newestRole === 'user') return undefined;
	if (now - changedAt >= quietTail) {
		const isOver = !isAsked && isBusy(current) && newestRole === 'assistant' && !isAnswerDue(turn, now);
		return isOver ? {value: 'idle', source: 'activity', at: now} : undefined;
	}
	if (isStopped(current, changedAt) || isTurnWord(current) || current?.at === changedAt) return undefined;
	return {value: 'running', source: 'activity', at: changedAt};
}

/** Should the session be polled as one at work? */
export function isAtWork(status: KnownStatus | undefined, turn: Turn, now: number): boolean {
	if (isAnswerDue(turn, now)) return true;
	if (turn.changedAt !== undefined && now - turn.changedAt < quietTail) return true;
	return isBusy(status) && now - Math.max(status?.at ?? 0, turn.changedAt ?? 0) < busyFor;
}
