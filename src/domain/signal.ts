import {clockSlack, eventTime, type HookEvent, isHistory} from './hook-event.ts';
import {type HookKind, hookKind} from './hook-kind.ts';
import type {Observed} from './observed.ts';

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

/** The last known signal of one agent session, keyed by client and session id. Times are Unix ms. */
export type Signal = {
	readonly client: string;
	readonly sessionId: string;
	readonly state: SignalState;
	/** When this state began. */
	readonly since: number;
	/** `ts` of the newest event that counted. */
	readonly lastEventAt: number;
	readonly lastEvent: string;
	readonly cwd?: string;
	/** The words of the notification or error, raw. */
	readonly message?: string;
	/** Reason of the end. */
	readonly reason?: string;
	/** Background tasks still running when it stopped. */
	readonly background: number;
};

/** Does this state ask for the user? */
export function isNeedsYou(state: SignalState): boolean {
	return state === 'needs-permission' || state === 'needs-input' || state === 'error';
}

/** A change that the user may want to be called for. `done` is opt-in. */
export type Alert = 'needs-you' | 'error' | 'done';

/** What one event made of a session's signal; no signal when it tells nothing of a session that is unknown. */
export type Reduced = {readonly signal?: Signal; readonly alert?: Alert};

/** Key of a signal: nested and parallel clients may use the same session id. */
export function signalKey(client: string, sessionId: string): string {
	return `${client}:${sessionId}`;
}

/** What a signal says of its session's status; nothing for a state that says neither. */
export function statusOfSignal({state, lastEventAt: at}: Signal): Observed<'running' | 'idle'> | undefined {
	if (state === 'working') return {value: 'running', source: 'hook', at};
	const isOver = state === 'done' || state === 'ended' || state === 'error';
	return isOver ? {value: 'idle', source: 'hook', at} : undefined;
}

/**
 * The event with the name of its client. A hook that was run without one, beside a session of that id whose client is
 * known, is that client's: it would stand for a second session otherwise.
 */
export function withClient(event: HookEvent, signals: Iterable<Signal>): HookEvent {
	if (event.client !== '' || !event.data.session_id) return event;
	const names = new Set<string>();
	for (const {client, sessionId} of signals) if (sessionId === event.data.session_id) names.add(client);
	names.delete('');
	const [client, ...more] = names;
	return client !== undefined && more.length === 0 ? {...event, client} : event;
}

const states: {readonly [Kind in Exclude<HookKind, 'other'>]: SignalState} = {
	started: 'idle',
	prompted: 'working',
	permission: 'needs-permission',
	idle: 'needs-input',
	question: 'needs-input',
	stopped: 'done',
	failed: 'error',
	cleared: 'replaced',
	ended: 'ended',
	interrupted: 'idle',
};

/**
 * The signal of a session after one more of its events. Hooks run in parallel, so events come in any order: the one
 * that happened last decides, and what is older changes nothing, as long as one clock told both. Events that tell no state (a subagent's end, an
 * unknown notification) never make, revive or silence one; tests and history alert nobody.
 */
export function reduceSignal(previous: Signal | undefined, event: HookEvent): Reduced {
	const {client, data} = event;
	const kind = hookKind(event.event, data);
	const at = eventTime(event);
	if (!data.session_id || data.test || kind === 'other') return {signal: previous};
	if (previous && at < previous.lastEventAt && previous.lastEventAt <= event.receivedAt + clockSlack)
		return {signal: previous};
	const state = states[kind];
	const expired = previous && expireSignal(previous, at);
	const before =
		expired && isAsked(kind) && at - previous.lastEventAt > sameWithin ? answered(expired) : expired;
	const words = kind === 'failed' ? (data.error ?? data.message) : data.message;
	const cwd = data.cwd ?? previous?.cwd;
	const signal: Signal = {
		client,
		sessionId: data.session_id,
		state,
		since: before?.state === state ? before.since : at,
		lastEventAt: at,
		lastEvent: event.event,
		background: kind === 'stopped' ? (data.background_tasks ?? 0) : 0,
		...(cwd !== undefined && {cwd}),
		...(words !== undefined && {message: words}),
		...(data.reason !== undefined && {reason: data.reason}),
	};
	const alert = isHistory(event) ? undefined : alertFor(before?.state, state, kind);
	return alert ? {signal, alert} : {signal};
}

/** Events of the same meaning so close together are one, of two installs or of agents that ask at once, ms. */
const sameWithin = 2_000;

/** Does the client ask something new by it? A reminder of what it asked is of another kind. */
function isAsked(kind: HookKind): boolean {
	return kind === 'permission' || kind === 'question';
}

/** No event tells that a question was answered: the next one does. */
function answered(signal: Signal): Signal {
	return isNeedsYou(signal.state) ? {...signal, state: 'working'} : signal;
}

/** One alert per transition: what was told is not told again in other words. */
function alertFor(before: SignalState | undefined, after: SignalState, kind: HookKind): Alert | undefined {
	if (before === after) return undefined;
	if (after === 'done' || after === 'error') return after;
	if (after === 'needs-permission') return 'needs-you';
	if (after !== 'needs-input') return undefined;
	// A client reminds of itself about a minute after it stopped, failed or asked.
	const wasReported = before === 'done' || before === 'error' || before === 'needs-permission';
	return kind === 'idle' && wasReported ? undefined : 'needs-you';
}

const hour = 60 * 60_000;

/**
 * How long a state is believed without another event, ms. Interrupting a turn and answering a permission prompt fire
 * no event, and a killed client never says its end. An end is never taken back.
 */
const believed: {readonly [state in SignalState]: number} = {
	working: hour,
	'needs-permission': 4 * hour,
	'needs-input': 12 * hour,
	idle: 24 * hour,
	done: 24 * hour,
	error: 24 * hour,
	ended: Number.POSITIVE_INFINITY,
	replaced: Number.POSITIVE_INFINITY,
	unknown: Number.POSITIVE_INFINITY,
};

/** When the signal stops being believed, Unix ms; infinity for one that stays. */
export function signalExpiresAt(signal: Signal): number {
	return signal.lastEventAt + believed[signal.state];
}

/** The signal as it may be shown at `now`: a stale state is `unknown`, its age told by `lastEventAt`; never `ended`. */
export function expireSignal(signal: Signal, now: number): Signal {
	const at = signalExpiresAt(signal);
	return now <= at ? signal : {...signal, state: 'unknown', since: at};
}
