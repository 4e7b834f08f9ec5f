import type {Observed, OpenEnum} from '../known.ts';
import type {MessageRole} from '../messages/message.ts';
import type {SessionStatus} from './session.ts';

export type KnownStatus = Observed<OpenEnum<SessionStatus>>;

/** Observations of a session's turn while following it. Times are Unix ms, local clock. */
export type Turn = {
	/** When our last message was accepted. */
	readonly postedAt?: number;
	/** When a poll last found something new; the first read doesn't count. */
	readonly changedAt?: number;
	/** Role of the newest message. */
	readonly newestRole?: MessageRole;
};

/** How long the tail must be quiet after an answer before the turn counts as over, ms. */
export const quietTail = 15_000;
/** How long a busy status is trusted without any activity, ms. */
const busyFor = 600_000;
/** A message found this soon after a Stop event belongs to the turn that ended, ms. */
export const afterStop = 10_000;

export function isBusy(status: KnownStatus | undefined): boolean {
	return status?.value === 'running' || status?.value === 'pending' || isTurnWord(status);
}

/**
 * Whether to ask the service for the status: when it is unknown, or busy (silence doesn't show whether it
 * still is). For an idle session, its messages show any change.
 */
export function shouldAskService(status: KnownStatus | undefined): boolean {
	return status === undefined || status.value === 'unknown' || isBusy(status);
}

const ourWords: readonly string[] = ['idle', 'pending', 'running', 'unknown'];

/**
 * Whether the status is an unknown word that the service returned when it accepted our message. It applies to
 * the turn that message started, and is shown verbatim until the turn is over.
 */
function isTurnWord(status: KnownStatus | undefined): boolean {
	return status?.source === 'posted' && !ourWords.includes(status.value);
}

/** Restores a status saved by an earlier run. */
export function recallStatus(status: KnownStatus): KnownStatus {
	return {...status, source: 'memory'};
}

/** Whether our message was accepted and no answer has been seen yet. */
function isAnswerDue({postedAt, changedAt, newestRole}: Turn, now: number): boolean {
	if (postedAt === undefined || now - postedAt > busyFor) return false;
	return changedAt === undefined || changedAt < postedAt || newestRole === 'user';
}

/**
 * The status to use after the service or a hook reports one. `idle` is ignored while our own message is
 * unanswered: the agent may not have started yet.
 */
export function reportedStatus(
	current: KnownStatus | undefined,
	reported: KnownStatus,
	turn: Turn,
): KnownStatus | undefined {
	if (reported.source === 'hook') return reported;
	// A query made just as the agent stops may return the status of the turn that just ended.
	if (isBusy(reported))
		return reported.source === 'updated' && isStopped(current, reported.at) ? current : reported;
	if (reported.value !== 'idle') return reported;
	const isOurPost = reported.source === 'posted' || isAnswerDue(turn, reported.at);
	return isOurPost && !isBusySince(current, turn.postedAt) ? current : reported;
}

function isBusySince(status: KnownStatus | undefined, since: number | undefined): boolean {
	return isBusy(status) && since !== undefined && (status?.at ?? 0) > since;
}

/** Whether the service reported idle so shortly before `at` that activity at `at` still belongs to the ended turn. */
function isJustIdle(status: KnownStatus | undefined, at: number): boolean {
	return status?.source === 'updated' && status.value === 'idle' && at - status.at < afterStop;
}

/** Whether a hook event ended the turn so shortly before `at` that activity at `at` still belongs to it. */
function isStopped(status: KnownStatus | undefined, at: number): boolean {
	return status?.source === 'hook' && status.value === 'idle' && at - status.at < afterStop;
}

/**
 * The status inferred from message activity, if it changes the current one. `isAsked`: the service is being
 * polled for the status, so silence doesn't imply idle; an agent may work without output.
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
	if (isStopped(current, changedAt) || isJustIdle(current, changedAt)) return undefined;
	if (isTurnWord(current) || current?.at === changedAt) return undefined;
	return {value: 'running', source: 'activity', at: changedAt};
}

/** Whether the agent may be at work, as far as status and messages say: the session is then polled as busy. */
export function mayBeAtWork(status: KnownStatus | undefined, turn: Turn, now: number): boolean {
	if (isAnswerDue(turn, now)) return true;
	if (turn.changedAt !== undefined && now - turn.changedAt < quietTail) return true;
	return isBusy(status) && now - Math.max(status?.at ?? 0, turn.changedAt ?? 0) < busyFor;
}
