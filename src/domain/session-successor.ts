import {eventTime, type HookEvent} from './hook-event.ts';
import {hookKind} from './hook-kind.ts';
import {expireSignal, type Signal} from './signal.ts';

/** The end of a cleared session and the start of its successor may be told this far apart, and in either order, ms. */
const slack = 10_000;

/**
 * The session that a `SessionStart` of source `clear` took the place of, now `replaced`: the one of the same client
 * and folder that ended to be cleared a moment ago; or, when that end was never told, the only live one there. With
 * several live ones none is taken: it could be the wrong one.
 */
export function replacePredecessor(signals: Iterable<Signal>, event: HookEvent): Signal | undefined {
	const {client, data} = event;
	if (hookKind(event.event, data) !== 'started' || data.source !== 'clear' || !data.cwd) return undefined;
	const at = eventTime(event);
	const here = [...signals].filter(
		signal => signal.client === client && signal.cwd === data.cwd && signal.sessionId !== data.session_id,
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
 * Was a `replaced` session followed by another of the same client and folder? Then it is hidden; else it has ended.
 * All signals are read once, and each question is answered from the two newest of its place.
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

function placeOf({client, cwd}: Signal): string {
	return `${client}\n${cwd ?? ''}`;
}

function isLive({state}: Signal): boolean {
	return state !== 'ended' && state !== 'replaced' && state !== 'unknown';
}
