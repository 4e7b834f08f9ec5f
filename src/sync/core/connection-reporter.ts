import type {Connection, ConnectionState, ConnectionStore} from '../../state/connection.ts';
import type {Problem} from '../../state/fleet.ts';
import type {Block} from './circuit-breaker.ts';
import type {Clock} from './clock.ts';
import {problemOf} from './problem.ts';
import type {Reachability} from './scheduler.ts';

/** Returns a function that updates the connection store from the state of the requests. Writes only what changed. */
export function createConnectionReporter(
	connection: ConnectionStore,
	clock: Clock,
): (reachability: Reachability) => void {
	return ({block, isPolling, nextAt, okAt, latency}) => {
		const current = connection.getState();
		const state: ConnectionState = block?.kind ?? (isPolling ? 'polling' : 'quiet');
		const next: Partial<Connection> = {
			state,
			...(okAt !== undefined && {okAt, latency}),
			// While a poll is under way, its due time is kept to measure how late its answer is.
			...dueAt(current, state, nextAt, clock.now()),
			retryAt: block?.until,
			problem: block && blockingProblem(block, current, clock.now()),
		};
		const keys = Object.keys(next) as (keyof Connection)[];
		const changed = keys.filter(key => current[key] !== next[key]);
		if (changed.length > 0 && !changed.every(key => isMinor(key, current, next))) connection.setState(next);
	};
}

/**
 * Times that changed by less than this aren't written, ms, as each change draws a frame: watched sessions cause two
 * answers a second, 100 computers being provisioned twenty.
 */
const minTimeChange = 3_000;

function isMinor(key: keyof Connection, current: Connection, next: Partial<Connection>): boolean {
	const time = key === 'latency' ? 'okAt' : key;
	if (time !== 'okAt' && time !== 'nextAt') return false;
	return Math.abs((next[time] ?? 0) - (current[time] ?? 0)) < minTimeChange;
}

/** Why requests are blocked now, and since when they are. */
function blockingProblem({kind, cause}: Block, {state, problem}: Connection, now: number): Problem {
	const next = problemOf(cause, now);
	if (kind !== state || !problem) return next;
	const isSame = problem.what === next.what && problem.hint === next.hint;
	return isSame ? problem : {...next, at: problem.at};
}

/** The first poll after a rest counts from now, not from an earlier due time. */
function dueAt(
	current: Connection,
	state: ConnectionState,
	nextAt: number | undefined,
	now: number,
): Pick<Connection, 'nextAt'> {
	if (nextAt !== undefined) return {nextAt};
	return state === 'polling' && current.state !== 'polling' ? {nextAt: now} : {};
}
