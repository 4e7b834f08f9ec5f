import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Problem} from './fleet.ts';

/**
 * Truth about the connection. `quiet`: nothing needs polling. `polling`: answers come.
 * `slowed`: the service asked us to wait. `offline`: it can't be reached. `unauthorised`: 401, everything waits for a key.
 */
export type ConnectionState = 'starting' | 'quiet' | 'polling' | 'slowed' | 'offline' | 'unauthorised';

export type Connection = {
	readonly state: ConnectionState;
	/** Last good answer, Unix ms. */
	readonly okAt?: number;
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
	/** The database can't be written: what is wrong. */
	readonly storage?: Problem;
};
/** `what` was read last with such items in it, `count` of them, at `at` (Unix ms). */
export type Skipped = {
	readonly total: number;
	readonly what: string;
	readonly count: number;
	readonly at: number;
};

export type ConnectionStore = StoreApi<Connection>;

export function createConnectionStore(): ConnectionStore {
	return createStore<Connection>(() => ({state: 'starting', hooks: 'off'}));
}

/** Counts items of an answer that could not be read. */
export function countSkipped(store: ConnectionStore, what: string, count: number, at: number): void {
	if (count === 0) return;
	store.setState(({skipped}) => ({skipped: {total: (skipped?.total ?? 0) + count, what, count, at}}));
}
