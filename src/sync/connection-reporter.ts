import type {Connection, ConnectionState, ConnectionStore} from '../state/connection.ts';
import type {Clock} from './clock.ts';
import {problemOf} from './problem.ts';
import type {Reach} from './scheduler.ts';

/** Keeps the connection store true to what the requests tell. A store that is right already is left alone. */
export function createConnectionReporter(connection: ConnectionStore, clock: Clock): (reach: Reach) => void {
	return ({block, isPolling, nextAt, okAt, latency}) => {
		const current = connection.getState();
		const state: ConnectionState = block?.kind ?? (isPolling ? 'polling' : 'quiet');
		const next: Partial<Connection> = {
			state,
			...(okAt !== undefined && {okAt, latency}),
			// While a poll is under way, when it was due is what its answer is measured by.
			...dueAt(current, state, nextAt, clock.now()),
			retryAt: block?.until,
			problem: block && (state === current.state ? current.problem : problemOf(block.cause, clock.now())),
		};
		const keys = Object.keys(next) as (keyof Connection)[];
		if (keys.some(key => current[key] !== next[key])) connection.setState(next);
	};
}

/** What begins after a rest is measured from now, not from what was due before. */
function dueAt(
	current: Connection,
	state: ConnectionState,
	nextAt: number | undefined,
	now: number,
): Pick<Connection, 'nextAt'> {
	if (nextAt !== undefined) return {nextAt};
	return state === 'polling' && current.state !== 'polling' ? {nextAt: now} : {};
}
