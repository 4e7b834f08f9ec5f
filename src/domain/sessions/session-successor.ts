import {eventTime, expireSignal, type HookEvent, hookKind, type Signal} from './signal.ts';

/** Maximum time between the reported end of a cleared session and the start of its successor, in either order, ms. */
const slack = 10_000;

/**
 * The session replaced by a `SessionStart` with source `clear`, with state `replaced`: the one of the same
 * client and folder that was just cleared or, if its end was never reported, the only live one there.
 * Undefined if several are live, because it could be the wrong one.
 */
export function replacePredecessor(signals: Iterable<Signal>, event: HookEvent): Signal | undefined {
	const {client, data, computer} = event;
	if (hookKind(event.event, data) !== 'started' || data.source !== 'clear' || !data.cwd) return undefined;
	const at = eventTime(event);
	const here = [...signals].filter(
		signal =>
			signal.client === client &&
			signal.cwd === data.cwd &&
			signal.computer?.id === computer?.id &&
			signal.sessionId !== data.session_id,
	);
	const cleared = here
		.filter(signal => signal.state === 'replaced' && Math.abs(at - signal.lastEventAt) <= slack)
		.sort((a, b) => b.lastEventAt - a.lastEventAt);
	if (cleared[0]) return cleared[0];
	const live = here.filter(signal => isLive(expireSignal(signal, at)) && signal.lastEventAt <= at);
	const only = live.length === 1 ? live[0] : undefined;
	return only && {...only, state: 'replaced', since: at, lastEventAt: at, lastEvent: event.event};
}

/**
 * Returns a check for whether a `replaced` session has a successor of the same client and folder; if so it is
 * hidden, otherwise it has ended. Reads all signals once and keeps the two newest per client and folder.
 */
export function successorCheck(signals: Iterable<Signal>): (replaced: Signal) => boolean {
	const newest = new Map<string, Signal[]>();
	for (const signal of signals) {
		const others = (newest.get(placeOf(signal)) ?? []).filter(one => one.sessionId !== signal.sessionId);
		const two = [...others, signal].sort((a, b) => b.lastEventAt - a.lastEventAt).slice(0, 2);
		newest.set(placeOf(signal), two);
	}
	return replaced => {
		const other = newest.get(placeOf(replaced))?.find(one => one.sessionId !== replaced.sessionId);
		return other !== undefined && other.lastEventAt >= replaced.lastEventAt - slack;
	};
}

function placeOf({client, cwd, computer}: Signal): string {
	return `${client}\n${computer?.id ?? ''}\n${cwd ?? ''}`;
}

function isLive({state}: Signal): boolean {
	return state !== 'ended' && state !== 'replaced' && state !== 'unknown';
}
