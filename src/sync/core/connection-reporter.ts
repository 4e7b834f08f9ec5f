import type {Connection, ConnectionState, ConnectionStore} from '../../state/connection.ts';
import type {Clock} from './clock.ts';
import {problemOf} from './problem.ts';
import type {Reachability} from './scheduler.ts';

/** Updates the connection store from the state of the requests. Writes only what changed. */
export function createConnectionReporter(
	connection: ConnectionStore,
	clock: Clock,
): (reach: Reachability) => void {
	return ({block, isPolling, nextAt, okAt, latency}) => {
		const current = connection.getState();
		const state: ConnectionState = block?.kind ?? (isPolling ? 'polling' : 'quiet');
		const next: Partial<Connection> = {
			state,
			...(okAt !== undefined && {okAt, latency}),
			// While a poll is under way, its due time is kept to measure how late its answer is.
			...dueAt(current, state, nextAt, clock.now()),
			retryAt: block?.until,
			problem: block && (state === current.state ? current.problem : problemOf(block.cause, clock.now())),
		};
		const keys = Object.keys(next) as (keyof Connection)[];
		const changed = keys.filter(key => current[key] !== next[key]);
		if (changed.length > 0 && !changed.every(key => isSoon(key, current, next))) connection.setState(next);
	};
}

/**
 * Changes within this time are merged, ms, as each draws a frame: watched sessions cause two answers a second, 100
 * computers being provisioned twenty.
 */
const mergedWithin = 3_000;

function isSoon(key: keyof Connection, current: Connection, next: Partial<Connection>): boolean {
	if (key === 'latency') return Math.abs((next.okAt ?? 0) - (current.okAt ?? 0)) < mergedWithin;
	if (key !== 'okAt' && key !== 'nextAt') return false;
	return Math.abs((next[key] ?? 0) - (current[key] ?? 0)) < mergedWithin;
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
