import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Problem} from './fleet.ts';

/**
 * Truth about the connection. `quiet`: nothing needs polling. `polling`: answers come.
 * `slowed`: the service asked us to wait. `offline`: it can't be reached. `unauthorized`: 401, everything waits for a key.
 */
export type ConnectionState = 'starting' | 'quiet' | 'polling' | 'slowed' | 'offline' | 'unauthorised';

export type Connection = {
	readonly state: ConnectionState;
	/** Last good answer, Unix ms. */
	readonly okAt?: number;
	/** When the next poll is due, or was: its answer is waited for then. Unix ms. */
	readonly nextAt?: number;
	/** Wall time of the last good answer, ms. */
	readonly latency?: number;
	/** When the next try is due, Unix ms. */
	readonly retryAt?: number;
	readonly problem?: Problem;
	/** Items of answers that could not be read and were left out, since the start. */
	readonly skipped?: Skipped;
	/** Service clock minus ours, ms, from the Date header. */
	readonly skew?: number;
	/** Is the hook socket listening? Its problem when not. */
	readonly hooks: 'off' | 'listening' | Problem;
	/** The database can't be written: what is wrong. `needsRestart`: nor can it in this run, whatever is done about it. */
	readonly storage?: Problem & {readonly needsRestart?: true};
	/** What the database file holds, bytes; set when somebody looks. */
	readonly stored?: {
		readonly used: number;
		readonly free: number;
		readonly limit: number;
		readonly sessions: number;
		readonly messages: number;
	};
	/** What happened to the database file and was not acknowledged yet, oldest first. */
	readonly incidents?: readonly {readonly at: number; readonly what: string}[];
};
/** `what` was read last with such items in it, `count` of them, at `at` (Unix ms). */
export type Skipped = {
	readonly total: number;
	readonly what: string;
	readonly count: number;
	readonly at: number;
};

/** An answer that was due so long ago is missed, ms. */
const patience = 20_000;
/** Answers that come at least this often show what is, not what was, ms. */
const liveWithin = 10_000;

/**
 * How fresh what is shown is while the service is polled. `live`: answers come every few seconds. `polling`: they come
 * in time, at a slower pace. `stale`: the one that was due has not come.
 */
export function freshness(
	{okAt, nextAt}: Pick<Connection, 'okAt' | 'nextAt'>,
	now: number,
): 'live' | 'polling' | 'stale' {
	const dueAt = Math.max(okAt ?? 0, nextAt ?? 0);
	if (now > dueAt + patience) return 'stale';
	return dueAt - (okAt ?? dueAt) <= liveWithin ? 'live' : 'polling';
}

/** When that becomes `stale` unless an answer comes before, Unix ms. */
export function staleAt({okAt, nextAt}: Pick<Connection, 'okAt' | 'nextAt'>): number {
	return Math.max(okAt ?? 0, nextAt ?? 0) + patience + 1;
}

export type ConnectionStore = StoreApi<Connection>;

export function createConnectionStore(): ConnectionStore {
	return createStore<Connection>(() => ({state: 'starting', hooks: 'off'}));
}

/** Counts items of an answer that could not be read. */
export function countSkipped(store: ConnectionStore, what: string, count: number, at: number): void {
	if (count === 0) return;
	store.setState(({skipped}) => ({skipped: {total: (skipped?.total ?? 0) + count, what, count, at}}));
}
