import type {Envelope, EventComputer, HookData} from '../../../hooks/wire.ts';
import {ownEntry} from '../objects.ts';

/** The state of one agent session, as derived from its hook events. */
export type SignalState =
	| 'idle'
	| 'working'
	| 'needs-permission'
	| 'needs-input'
	| 'done'
	| 'error'
	| 'ended'
	| 'replaced'
	| 'unknown';

/** The last known state of one agent session, keyed by client and session id. Times are Unix ms. */
export type Signal = {
	readonly client: string;
	readonly sessionId: string;
	readonly state: SignalState;
	readonly since: number;
	/** `ts` of the newest event that was applied. */
	readonly lastEventAt: number;
	readonly lastEvent: string;
	readonly cwd?: string;
	/** Text of the notification or error, raw. */
	readonly message?: string;
	readonly reason?: string;
	/** Background tasks still running when it stopped. */
	readonly background: number;
	/** Process of the client, as its hooks or its own file name it. */
	readonly process?: ClientProcess;
	/** Title, or first words, as the client's own files have them. Raw. */
	readonly title?: string;
	/** The computer of the session, if that isn't this machine. */
	readonly computer?: Pick<EventComputer, 'id' | 'name'>;
};

/**
 * A client's process on this machine. `start` identifies its start (as `/proc` has it, or Unix ms); absent if only hooks
 * named it.
 */
export type ClientProcess = {readonly pid: number; readonly start?: string};

export function needsUser(state: SignalState): boolean {
	return state === 'needs-permission' || state === 'needs-input' || state === 'error';
}

/** A change worth alerting the user to. `done` is opt-in. */
export type Alert = 'needs-you' | 'error' | 'done';

/**
 * The result of applying one event to a session's signal; no signal if the event reveals no state of an
 * unknown session.
 */
export type Reduced = {readonly signal?: Signal; readonly alert?: Alert};

export type HookUpdate = {readonly sessionId: string; readonly event: HookEvent; readonly alert?: Alert};

/** Key of a signal: nested and parallel clients may use the same session id. */
export function signalKey(client: string, sessionId: string): string {
	return `${client}:${sessionId}`;
}

const states: {readonly [Kind in Exclude<HookKind, 'other'>]: SignalState} = {
	started: 'idle',
	prompted: 'working',
	permission: 'needs-permission',
	answered: 'working',
	idle: 'needs-input',
	question: 'needs-input',
	stopped: 'done',
	failed: 'error',
	cleared: 'replaced',
	ended: 'ended',
	interrupted: 'idle',
};

/**
 * Applies an event to a session's signal. Hooks run in parallel, so events may arrive in any order: the
 * latest by time wins, and older ones are ignored as long as the same clock produced both. Events that reveal
 * no state (a subagent's end, an unknown notification) never create, revive or clear a signal; tests and
 * history raise no alert. A client's reminder, about a minute after it stopped, failed or asked, changes none of these:
 * it only ends a turn whose end no event reported.
 */
export function reduceSignal(previous: Signal | undefined, event: HookEvent): Reduced {
	const {client, data, computer} = event;
	const kind = hookKind(event.event, data);
	const at = eventTime(event);
	if (!data.session_id || data.test || kind === 'other') return {signal: previous};
	if (previous && at < previous.lastEventAt && previous.lastEventAt <= event.receivedAt + clockSlack)
		return {signal: previous};
	const state = states[kind];
	const expired = previous && expireSignal(previous, at);
	if (kind === 'idle' && expired && expired.state !== 'working' && expired.state !== 'unknown')
		return {signal: previous};
	const isNew = previous && at - previous.lastEventAt > duplicateTime && !isReminder(previous, event);
	const before = expired && isRequest(kind) && isNew ? withAnswer(expired) : expired;
	const words = kind === 'failed' ? (data.error ?? data.message) : data.message;
	const cwd = data.cwd ?? previous?.cwd;
	const process = processAfter(previous, event, kind);
	const signal: Signal = {
		client,
		sessionId: data.session_id,
		state,
		since: before?.state === state ? before.since : at,
		lastEventAt: at,
		lastEvent: event.event,
		background: kind === 'stopped' ? (data.background_tasks ?? 0) : 0,
		cwd,
		message: words,
		reason: data.reason,
		process,
		title: previous?.title,
		computer: computer && {id: computer.id, name: computer.name},
	};
	const alert = isHistory(event) ? undefined : alertFor(before?.state, state);
	return alert ? {signal, alert} : {signal};
}

/** The process of a session after an event. A hook may name a shell between itself and the client; the client's file doesn't. */
function processAfter(
	previous: Signal | undefined,
	{agentPid}: HookEvent,
	kind: HookKind,
): ClientProcess | undefined {
	const {process, state} = previous ?? {};
	if (agentPid === 0 || agentPid === process?.pid) return process;
	const isOver = kind === 'started' || state === 'ended' || state === 'replaced';
	return process?.start !== undefined && !isOver ? process : {pid: agentPid};
}

/**
 * Events of the same kind within this time, in ms, count as one: they come from two installations or
 * simultaneous agents.
 */
const duplicateTime = 2_000;

/** Whether the event asks something new. Reminders have a different kind. */
function isRequest(kind: HookKind): boolean {
	return kind === 'permission' || kind === 'question';
}

/** Whether a notification only repeats the request before it: clients that report requests also send reminders. */
function isReminder({lastEvent}: Signal, {event}: HookEvent): boolean {
	return lastEvent === permissionRequest && event !== permissionRequest;
}

const permissionRequest = 'PermissionRequest';

/** Marks a question as answered. No event reports an answer, so the next event implies it. */
function withAnswer(signal: Signal): Signal {
	return needsUser(signal.state) ? {...signal, state: 'working'} : signal;
}

/** Returns at most one alert per transition: the same condition is not reported again in other words. */
function alertFor(before: SignalState | undefined, after: SignalState): Alert | undefined {
	if (before === after) return undefined;
	if (after === 'done' || after === 'error') return after;
	return after === 'needs-permission' || after === 'needs-input' ? 'needs-you' : undefined;
}

const hour = 60 * 60_000;

/**
 * How long a state is trusted without another event, ms. Interrupting a turn or answering a permission prompt
 * fires no event, and a killed client never reports its end. Ended states don't expire.
 */
const trustTimes: {readonly [state in SignalState]: number} = {
	// Its age is shown meanwhile: an agent may work for hours without an event.
	working: 24 * hour,
	'needs-permission': 4 * hour,
	'needs-input': 12 * hour,
	idle: 24 * hour,
	done: 24 * hour,
	error: 24 * hour,
	ended: Number.POSITIVE_INFINITY,
	replaced: Number.POSITIVE_INFINITY,
	unknown: Number.POSITIVE_INFINITY,
};

/** The newest signal of a session: several clients may have reported it. */
export function newestSignalOf(sessionId: string, signals: Iterable<Signal>): Signal | undefined {
	let newest: Signal | undefined;
	for (const signal of signals)
		if (signal.sessionId === sessionId && signal.lastEventAt > (newest?.lastEventAt ?? 0)) newest = signal;
	return newest;
}

/** When the signal expires, Unix ms; infinity if it never does. */
export function signalExpiresAt(signal: Signal): number {
	return signal.lastEventAt + trustTimes[signal.state];
}

/** The signal to show at `now`: a stale state becomes `unknown` (never `ended`), and `lastEventAt` gives its age. */
export function expireSignal(signal: Signal, now: number): Signal {
	const at = signalExpiresAt(signal);
	return now <= at ? signal : {...signal, state: 'unknown', since: at};
}

/** The meaning of an event for its session's state, whatever the client calls it. */
export type HookKind =
	| 'started'
	| 'prompted'
	| 'permission'
	/** The user has answered a permission prompt. */
	| 'answered'
	/** The client's reminder that it has been idle for a while. */
	| 'idle'
	| 'question'
	| 'stopped'
	| 'failed'
	/** The session ended to be replaced by a successor. */
	| 'cleared'
	| 'ended'
	/** Interrupted by the user, who acts next. */
	| 'interrupted'
	/** Appears in the log but changes no state. */
	| 'other';

/** Event kinds by name, lower-cased without `_` and `-`, across clients. */
const kinds: {readonly [event: string]: HookKind} = {
	sessionstart: 'started',
	userpromptsubmit: 'prompted',
	beforeagent: 'prompted',
	permissionrequest: 'permission',
	permissionanswered: 'answered',
	clientbusy: 'answered',
	clientidle: 'interrupted',
	clientended: 'ended',
	stop: 'stopped',
	afteragent: 'stopped',
	stopfailure: 'failed',
	interrupt: 'interrupted',
	sessionend: 'ended',
};

/** Determines an event's kind from its name and, where one name covers several kinds, from its data. */
export function hookKind(event: string, data: HookData): HookKind {
	const name = event.toLowerCase().replace(/[_-]/g, '');
	if (name === 'notification') return notificationKind(data);
	if (name === 'clientwaiting')
		return /permission|approv/i.test(data.message ?? '') ? 'permission' : 'question';
	const kind = ownEntry(kinds, name);
	if (kind === 'ended') return data.reason === 'clear' || data.reason === 'resume' ? 'cleared' : 'ended';
	return kind ?? 'other';
}

/** Uses the type (an open set) if present, otherwise the message text, which is all that older clients send. */
function notificationKind({notification_type: type, message = ''}: HookData): HookKind {
	if (type) {
		if (/permission|approval/i.test(type)) return 'permission';
		if (/idle/i.test(type)) return 'idle';
		return /^(elicitation_dialog|.*question.*|.*needs_input)$/i.test(type) ? 'question' : 'other';
	}
	if (/\b(permission|approval|approve)\b/i.test(message)) return 'permission';
	if (/\b(waiting for (your|user) input|idle)\b/i.test(message)) return 'idle';
	return /\bquestion\b|\?\s*$/i.test(message) ? 'question' : 'other';
}

/** A hook event as received: the envelope, plus when (Unix ms) and how it reached us. */
export type HookEvent = Envelope & {
	readonly receivedAt: number;
	readonly delivery: 'socket' | 'spool';
};

/** Maximum number of stored hook events; older ones are deleted from disk and from the log. */
export const maxStoredEvents = 20_000;

/** Age in ms at which an event counts as history: it updates the session's state but raises no alert. */
const historyAge = 10 * 60_000;

/** Whether the event arrived too late to alert the user. */
export function isHistory(event: HookEvent): boolean {
	return event.receivedAt - event.ts > historyAge;
}

/**
 * A timestamp further ahead of now than this, in ms, predates a clock that was set back and can't be used for
 * ordering.
 */
export const clockSlack = 5_000;

/** When the event happened, Unix ms, capped at its arrival time in case the sender's clock runs ahead. */
export function eventTime(event: HookEvent): number {
	return Math.min(event.ts, event.receivedAt);
}
