import {isArchived, type KnownSession, type Source} from '../../domain/known.ts';
import type {OutboxItem} from '../../domain/messages/delivery.ts';
import {quietTurn, quietWork, type SessionActivity} from '../../domain/sessions/activity.ts';
import type {HookRequest} from '../../domain/sessions/hook-request.ts';
import {afterStop, isBusy} from '../../domain/sessions/session-status.ts';
import {needsUser, type Signal} from '../../domain/sessions/signal.ts';
import {type InstallStep, stateOfInstall} from '../computers/install-steps.ts';

/** A session's state as displayed. `raw` is an unknown word of the service. */
export type SessionState =
	| 'permission'
	| 'input'
	| 'error'
	| 'unsent'
	/** The agent's turn is over, and the user hasn't read its last message. */
	| 'your-turn'
	| 'working'
	| 'pending'
	| 'idle'
	| 'done'
	| 'ended'
	| 'unknown'
	| 'raw';

/** A session's state, and the source it was derived from. Text is raw. */
export type ReportedState = {
	readonly state: SessionState;
	/** The service's word, if `state` is `raw`; `unconfirmed`, if `state` is `unsent` but the message may have arrived. */
	readonly word?: string;
	/** Source of the state, and when it began (Unix ms). */
	readonly source?: Source;
	readonly since?: number;
	/** When it was last known to last, Unix ms by this machine's clock. */
	readonly knownAt?: number;
	/** The message or request that the state was derived from, if any. */
	readonly derivedFrom?: string;
	/** Whether the state would need the user if they hadn't read the message that it was derived from. */
	readonly isRead?: true;
	/** What it asks for or waits for, or why it ended. */
	readonly reason?: string;
};

type Further = {
	readonly outbox?: readonly OutboxItem[] | undefined;
	readonly request?: HookRequest | undefined;
	/** Set if the session shows an install, unless its computer can't be read. */
	readonly install?: InstallStep | undefined;
};

/** Derives the state of a session from everything known about it. */
export function reportedStateOf(
	known: KnownSession | undefined,
	signal: Signal | undefined,
	{outbox = [], request, install}: Further,
): ReportedState {
	if (request) {
		const {id, createdAt, title} = request;
		return {state: 'permission', source: 'hook', since: createdAt, derivedFrom: id, reason: title};
	}
	const unsent = outbox.find(isUnsent);
	if (!unsent) return (install && stateOfInstall(install, known, signal)) ?? stateOf(known, signal);
	const {state, problem, sentAt, createdAt} = unsent;
	return {
		state: 'unsent',
		...(state === 'unconfirmed' && {word: state}),
		since: sentAt ?? createdAt,
		reason: problem ?? state,
	};
}

/**
 * Whether the session's agent is at work or waits for an answer, as its status, messages and hooks show: a message sent
 * now waits for its turn. Silence of ten minutes, or after a text that may have been the last, leaves that open.
 */
export function isAtWork(known: KnownSession | undefined, signal: Signal | undefined, now: number): boolean {
	const {state, knownAt = 0} = stateOf(known, signal);
	const {activity, status} = known ?? {};
	const isRequest = state === 'permission' || (state === 'input' && activity?.evidence === 'request');
	const isTurn = state === 'working' || state === 'pending' || (state === 'raw' && isBusy(status));
	const isGrowing = isTurn && knownAt === activity?.changedAt && activity.evidence === 'growing';
	return isRequest || (isTurn && now - knownAt < (isGrowing ? quietTurn : quietWork));
}

/** Whether the user has to decide about a message: it failed, or it is unknown whether it was delivered. */
export function isUnsent({state}: OutboxItem): boolean {
	return state === 'unconfirmed' || state === 'failed';
}

/**
 * Uses the newest of status, messages and signal. A signal that needs the user is cleared only by a hook event or
 * the user's own message.
 */
function stateOf(known: KnownSession | undefined, signal: Signal | undefined): ReportedState {
	const status = known?.status;
	const activity = known?.activity;
	const isOver = isArchived(known);
	if (!status && !signal && !activity) return {state: isOver ? 'ended' : 'unknown'};
	const changedAt = Math.max(status?.at ?? 0, activity?.changedAt ?? 0);
	if (signal && (changedAt <= signal.lastEventAt || stillNeedsUser(signal, known) || endsTurn(signal, known)))
		return stateOfSignal(signal);
	const isActivityNewer = activity !== undefined && !isStatusNewer(status, activity);
	if (isActivityNewer)
		return isOver ? {state: 'ended', source: 'activity', since: activity.at} : stateOfActivity(activity);
	if (!status) return {state: 'unknown'};
	const {value, source, at} = status;
	const told = {source, since: at, knownAt: at};
	if (value === 'running') return {state: 'working', ...told};
	if (value === 'pending') return {state: 'pending', ...told};
	if (value === 'idle' && isOver) return {state: 'ended', ...told};
	// The agent is done; text it wrote before it dropped its call or our message may be unread.
	if (value === 'idle' && activity && activity.unread > 0)
		return stateOfActivity({...activity, state: 'your-turn', evidence: 'answer'});
	if (value === 'idle') return {state: 'idle', ...told};
	return {state: 'raw', word: value, ...told};
}

/** Whether a status counts over the session's messages. */
function isStatusNewer(status: KnownSession['status'], activity: SessionActivity): boolean {
	// A turn that waits for the user still runs.
	if (activity.evidence === 'request') return status?.value === 'idle' && activity.changedAt <= status.at;
	if (!status || status.value === 'unknown' || status.source === 'activity' || status.source === 'memory')
		return false;
	if (activity.changedAt > status.at) return false;
	if (status.value !== 'idle') return true;
	// An idle agent has dropped its tool call or our message; in any other case the messages are more exact. A text
	// that was still growing is read again at once, and then shows how the turn ended.
	return activity.state === 'working' && activity.evidence !== 'growing';
}

/** A finished turn needs the user until they have read it; a question or an error keeps its state. */
function stateOfActivity({
	state,
	evidence,
	isQuestion,
	at,
	changedAt,
	derivedFrom,
	unread,
	words,
}: SessionActivity): ReportedState {
	const shared = {
		source: 'activity' as const,
		since: at,
		knownAt: changedAt,
		...(derivedFrom !== undefined && {derivedFrom}),
		...(words !== undefined && {reason: words}),
	};
	if (evidence === 'request') return {...shared, state: isQuestion ? 'input' : 'permission'};
	// A service may leave the times of a message as they are while its text grows.
	const since = Math.max(at, changedAt);
	if (state === 'working') return {state: 'working', source: 'activity', since, knownAt: changedAt};
	const isRead = unread === 0;
	if (state === 'your-turn') return {...shared, state: isRead ? 'idle' : 'your-turn'};
	return {...shared, state: state === 'asks' ? 'input' : 'error', ...(isRead && {isRead})};
}

/** Whether the messages show work of the turn that this signal ended: listings lag behind hooks. */
function endsTurn(
	{state, lastEventAt}: Signal,
	{status, activity}: Pick<KnownSession, 'status' | 'activity'> = {},
): boolean {
	const isEnd = state === 'done' || state === 'ended';
	const isNewer = (status?.at ?? 0) > lastEventAt || activity?.evidence === 'user-message';
	return isEnd && !isNewer && activity?.state === 'working' && activity.changedAt <= lastEventAt + afterStop;
}

function stillNeedsUser(signal: Signal, known: KnownSession | undefined): boolean {
	const {status, activity} = known ?? {};
	const isAnswered = activity?.userAt !== undefined && activity.userAt > signal.since;
	return needsUser(signal.state) && !isAnswered && status?.source !== 'posted' && status?.source !== 'hook';
}

const signalStates: Readonly<Record<Signal['state'], SessionState>> = {
	idle: 'idle',
	working: 'working',
	'needs-permission': 'permission',
	'needs-input': 'input',
	done: 'done',
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
		...(reason !== undefined && {reason}),
	};
}
