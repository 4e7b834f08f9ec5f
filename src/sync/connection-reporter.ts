import type {Connection, ConnectionState, ConnectionStore} from '../state/connection.ts';
import type {Clock} from './clock.ts';
import {problemOf} from './problem.ts';
import type {Reachability} from './scheduler.ts';

/** Keeps the connection store true to what the requests tell. A store that is right already is left alone. */
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
			// While a poll is under way, when it was due is what its answer is measured by.
			...dueAt(current, state, nextAt, clock.now()),
			retryAt: block?.until,
			problem: block && (state === current.state ? current.problem : problemOf(block.cause, clock.now())),
		};
		const keys = Object.keys(next) as (keyof Connection)[];
		const changed = keys.filter(key => current[key] !== next[key]);
		if (changed.length > 0 && !changed.every(key => isSoon(key, current, next))) connection.setState(next);
	};
}

/** Answers of one second are told as one: with a hundred computers on their way up there are twenty. */
const second = 1000;

function isSoon(key: keyof Connection, current: Connection, next: Partial<Connection>): boolean {
	if (key === 'latency') return Math.abs((next.okAt ?? 0) - (current.okAt ?? 0)) < second;
	if (key !== 'okAt' && key !== 'nextAt') return false;
	return Math.abs((next[key] ?? 0) - (current[key] ?? 0)) < second;
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
