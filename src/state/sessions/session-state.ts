import {
	isArchived,
	isWatched,
	type KnownSession,
	type KnownStatus,
	type StatusSource,
} from '../../domain/known.ts';
import type {OutboxItem} from '../../domain/messages/delivery.ts';
import {quietTurn, quietWork, type SessionActivity} from '../../domain/sessions/activity.ts';
import type {HookRequest} from '../../domain/sessions/hook-request.ts';
import {afterStop, isBusy} from '../../domain/sessions/session.ts';
import {needsUser, type Signal} from '../../domain/sessions/signal.ts';
import {type InstallStep, stateOfInstall} from '../computers/install-steps.ts';

/** A session's state as displayed. `raw` is an unknown word of the service. */
export type SessionState =
	| 'permission'
	| 'input'
	| 'error'
	| 'unsent'
	/** The agent's turn is over, and the user hasn't read its last message. */
	| 'done'
	| 'working'
	/** Working, as far as the user is concerned: the agent hasn't begun. */
	| 'pending'
	| 'idle'
	| 'ended'
	| 'unknown'
	| 'raw';

/** A session's state, and the source it was derived from. Text is raw. */
export type ReportedState = {
	readonly state: SessionState;
	/** The service's word, if `state` is `raw`; `unconfirmed`, if `state` is `unsent` but the message may have arrived. */
	readonly word?: string;
	/** Source of the state, and when it began (Unix ms). */
	readonly source?: StatusSource;
	readonly since?: number;
	/** When it was last known to last, Unix ms by this machine's clock. */
	readonly knownAt?: number;
	/** The message or request that the state was derived from, if any. */
	readonly derivedFrom?: string;
	/** Set if only silence shows that the turn is over: it may go on. */
	readonly isAssumed?: true;
	/** Its machine or the service can't be reached: this is the last that is known. */
	readonly isUnreachable?: true;
	/** Set if a question or failure needs nobody, because it is old, or a failure of its computer. */
	readonly isSettled?: boolean;
	/** What it asks for or waits for, or why it ended. */
	readonly reason?: string;
};

/** What is known about a session, all of it stored, so that every program derives the same state. */
export type Evidence = {
	readonly known?: KnownSession | undefined;
	readonly signal?: Signal | undefined;
	readonly outbox?: readonly OutboxItem[] | undefined;
	readonly request?: HookRequest | undefined;
	/** Set if the session shows an install, unless its computer can't be read. */
	readonly install?: InstallStep | undefined;
};

/** Derives the state of a session from everything known about it. */
export function sessionState(evidence: Evidence): ReportedState {
	const {known, signal, outbox = [], request, install} = evidence;
	if (request) {
		const {id, createdAt, title} = request;
		return {state: 'permission', source: 'hook', since: createdAt, derivedFrom: id, reason: title};
	}
	const unsent = outbox.find(isUnsent);
	if (!unsent) return (install && stateOfInstall(install, known, signal)) ?? turnState(evidence);
	const {state, problem, sentAt, createdAt} = unsent;
	return {
		state: 'unsent',
		word: state === 'unconfirmed' ? state : undefined,
		since: sentAt ?? createdAt,
		reason: problem ?? state,
	};
}

/** How long a busy state is certain without a read or a report, ms; hooks report the end of a turn by themselves. */
const certainFor = 60_000;
/** A turn that asked or failed longer than this before its session was known here needs nobody any more, ms. */
const old = 24 * 60 * 60_000;
/** How long a turn that only silence has ended may turn out to go on, ms: agents run silent commands for long. */
export const assumedFor = 60 * 60_000;

type Doubtful = ReportedState & {readonly client?: string; readonly known?: KnownSession};

/** Until when a busy state is certain, Unix ms; infinity if it reports its end by itself. Archived sessions aren't read. */
export function certainUntil({source, knownAt = 0, client, known, isUnreachable}: Doubtful): number {
	if (isUnreachable) return 0;
	const isReported = client !== undefined || source === 'hook';
	if (isReported) return Number.POSITIVE_INFINITY;
	return isArchived(known) ? 0 : Math.max(knownAt, known?.readAt ?? 0) + certainFor;
}

/**
 * Whether the turn may be over or go on by now: a busy session that nobody has read for a minute, or one that only
 * silence shows to be done.
 */
export function isUnsure(item: Doubtful, now: number): boolean {
	const {state, knownAt = 0, isAssumed} = item;
	if (isAssumed) return item.client === undefined && now - knownAt < assumedFor;
	return (state === 'working' || state === 'pending') && now > certainUntil(item);
}

/**
 * Whether the session's agent is at work or waits for an answer, as its status, messages and hooks show: a message sent
 * now waits for its turn. Silence of ten minutes, or after a text that may have been the last, leaves that open.
 */
export function isAtWork(evidence: Evidence, now: number): boolean {
	const {state, knownAt = 0} = turnState(evidence);
	const {activity, status} = evidence.known ?? {};
	const isRequest = state === 'permission' || (state === 'input' && activity?.evidence === 'request');
	const isTurn = state === 'working' || state === 'pending' || (state === 'raw' && isBusy(status));
	const isGrowing = isTurn && knownAt === activity?.changedAt && activity.evidence === 'growing';
	return isRequest || (isTurn && now - knownAt < (isGrowing ? quietTurn : quietWork));
}

/** Whether the session is read often: its agent is at work, or was writing when it was last read. */
export function isBusyNow(evidence: Evidence, now: number): boolean {
	return isAtWork(evidence, now) || evidence.known?.activity?.evidence === 'growing';
}

/** The same for an open session, of which it is also read whether a turn goes on that only silence has ended. */
export function mayBeAtWork(evidence: Evidence, now: number): boolean {
	const state = turnState(evidence);
	return isBusyNow(evidence, now) || (state.isAssumed === true && isUnsure(state, now));
}

/** When a hook or the service reported that the session's turn is over, Unix ms; undefined if it isn't. */
export function turnEndedAt({status}: KnownSession, signal: Signal | undefined): number | undefined {
	const byHook = signal && !['working', 'unknown'].includes(signal.state) ? signal.lastEventAt : undefined;
	if (status?.value !== 'idle' || status.source !== 'updated') return byHook;
	// Unlike a hook, the service lists all messages from before its report.
	return Math.max(status.at - afterStop, byHook ?? 0);
}

/** Whether the user has to decide about a message: it failed, or it is unknown whether it was delivered. */
export function isUnsent({state}: OutboxItem): boolean {
	return state === 'unconfirmed' || state === 'failed';
}

/**
 * Uses the newest of status, messages and signal. A signal that needs the user is cleared only by a hook event or
 * the user's own message.
 */
export function turnState({known, signal, outbox}: Evidence): ReportedState {
	const status = statusOf(known, outbox);
	const activity = known?.activity;
	const isOver = isArchived(known);
	if (!status && !signal && !activity) return {state: isOver ? 'ended' : 'unknown'};
	const changedAt = Math.max(status?.at ?? 0, activity?.changedAt ?? 0);
	if (
		signal &&
		(changedAt <= signal.lastEventAt ||
			stillNeedsUser(signal, status, activity) ||
			endsTurn(signal, status, activity))
	)
		return stateOfSignal(signal);
	if (activity && !isStatusNewer(status, activity)) {
		if (isOver) return {state: 'ended', source: 'activity', since: activity.at};
		return stateOfActivity(activity, isConfirmed(activity, known, signal), known?.addedAt);
	}
	if (!status) return {state: 'unknown'};
	const {value, source, at} = status;
	const told = {source, since: at, knownAt: at};
	if (value === 'running') return {state: 'working', ...told};
	if (value === 'pending') return {state: 'pending', ...told};
	if (value === 'idle' && isOver) return {state: 'ended', ...told};
	// The agent is done; text it wrote before it dropped its call or our message may be unread.
	if (value === 'idle' && activity && activity.unread > 0)
		return stateOfActivity({...activity, state: 'done', evidence: 'answer'}, true, known?.addedAt);
	// Until its messages are read, nobody knows how its last turn ended.
	if (value === 'idle') return {state: isUnread(known) ? 'unknown' : 'idle', ...told};
	return {state: 'raw', word: value, ...told};
}

/** Whether a watched session's messages are still to be read for the first time. */
export function isUnread(known: KnownSession | undefined): boolean {
	if (!isWatched(known) || known.activity || known.wasEmpty) return false;
	return known.origin !== 'created' && known.session?.messageCount !== 0;
}

/** How long an agent may take to start after it was given a message, ms: until then, `idle` is of the turn before. */
const startsWithin = 120_000;

/** The service's status. A message of ours that it accepted and doesn't list yet is one, too: the agent has work. */
function statusOf(
	known: KnownSession | undefined,
	outbox: readonly OutboxItem[] = [],
): KnownStatus | undefined {
	const {status} = known ?? {};
	const {sentAt} = outbox.findLast(({state, isBehind}) => state === 'accepted' && !isBehind) ?? {};
	if (sentAt === undefined || (status && isBusy(status) && status.at >= sentAt)) return status;
	if (status && status.at > sentAt && settles(status, sentAt)) return status;
	return {value: 'running', source: 'posted', at: sentAt};
}

/** Whether a status ends the work that was given to the agent at `since`: right after it, `idle` doesn't. */
function settles({value, at, busyAt = 0}: KnownStatus, since: number): boolean {
	return value !== 'idle' || busyAt >= since || at - since >= startsWithin;
}

/** Whether a status counts over the session's messages. */
function isStatusNewer(status: KnownStatus | undefined, activity: SessionActivity): boolean {
	const {state, evidence, changedAt} = activity;
	// A turn that waits for the user still runs.
	if (evidence === 'request') return status?.value === 'idle' && changedAt <= status.at;
	if (!status || status.value === 'unknown' || changedAt > status.at) return false;
	if (evidence === 'user-message') return settles(status, changedAt);
	if (status.value !== 'idle') return true;
	// An idle agent has dropped its tool call; in any other case the messages are more exact. A text that was still
	// growing is read again at once, and then shows how the turn ended.
	return state === 'working' && evidence !== 'growing';
}

/** Whether a report, and not only silence, shows that the turn of these messages is over. */
function isConfirmed(
	{at, changedAt}: SessionActivity,
	known: KnownSession | undefined,
	signal: Signal | undefined,
): boolean {
	const endedAt = known && turnEndedAt(known, signal);
	return endedAt !== undefined && Math.min(at, changedAt) <= endedAt + afterStop;
}

/**
 * A finished turn needs the user until they have read it; a question or a failure until something is done about it,
 * unless it was old when its session became known here.
 */
function stateOfActivity(
	{state, evidence, isQuestion, at, changedAt, derivedFrom, unread, words}: SessionActivity,
	isTurnOver: boolean,
	addedAt = 0,
): ReportedState {
	const shared = {source: 'activity' as const, since: at, knownAt: changedAt, derivedFrom, reason: words};
	if (evidence === 'request') return {...shared, state: isQuestion ? 'input' : 'permission'};
	// A service may leave the times of a message as they are while its text grows.
	const since = Math.max(at, changedAt);
	if (state === 'working') return {state: 'working', source: 'activity', since, knownAt: changedAt};
	const isRead = unread === 0;
	if (state === 'done')
		return {...shared, state: isRead ? 'idle' : 'done', isAssumed: isTurnOver ? undefined : true};
	return {...shared, state: state === 'asks' ? 'input' : 'error', isSettled: changedAt < addedAt - old};
}

/** Whether the messages show work of the turn that this signal ended: listings lag behind hooks. */
function endsTurn(
	{state, lastEventAt}: Signal,
	status: KnownStatus | undefined,
	activity: SessionActivity | undefined,
): boolean {
	// A request made just as the agent stops may return the status of the turn that just ended.
	const statusAt = (status?.at ?? 0) - (status?.source === 'updated' && isBusy(status) ? afterStop : 0);
	const isEnd = state === 'done' || state === 'ended';
	if (!isEnd || statusAt > lastEventAt || activity?.evidence === 'user-message') return false;
	return !activity || (activity.state === 'working' && activity.changedAt <= lastEventAt + afterStop);
}

function stillNeedsUser(
	signal: Signal,
	status: KnownStatus | undefined,
	activity: SessionActivity | undefined,
): boolean {
	const answeredAt = Math.max(activity?.userAt ?? 0, status?.source === 'posted' ? status.at : 0);
	return needsUser(signal.state) && answeredAt <= signal.since;
}

const signalStates: Readonly<Record<Signal['state'], SessionState>> = {
	idle: 'idle',
	working: 'working',
	'needs-permission': 'permission',
	'needs-input': 'input',
	done: 'idle',
	error: 'error',
	ended: 'ended',
	replaced: 'ended',
	unknown: 'unknown',
};

function stateOfSignal(signal: Signal): ReportedState {
	const reason = signal.message ?? signal.reason;
	return {
		state: signalStates[signal.state],
		source: 'hook',
		since: signal.since,
		knownAt: signal.lastEventAt,
		reason,
	};
}
