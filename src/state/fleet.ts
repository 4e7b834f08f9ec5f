import {createStore, type StoreApi} from 'zustand/vanilla';
import type {KnownComputer, KnownSession} from '../domain/known.ts';
import type {Signal} from '../domain/signal.ts';

/** Everything known of computers and sessions, and what the hook events say of sessions. Maps are replaced, never changed. */
export type Fleet = {
	readonly computers: ReadonlyMap<string, KnownComputer>;
	readonly sessions: ReadonlyMap<string, KnownSession>;
	/** By `signalKey(client, sessionId)`. */
	readonly signals: ReadonlyMap<string, Signal>;
	/** Last problem of a computer's or session's own polls, by id; gone when a read succeeds. */
	readonly problems: ReadonlyMap<string, Problem>;
};

/** An error as the screen tells it: one line of what is wrong, one of what to do. `at` is Unix ms. */
export type Problem = {
	readonly what: string;
	readonly hint?: string;
	readonly at: number;
	/** No error: the service can't find yet what it was asked to make a moment ago. */
	readonly isStarting?: boolean;
};

export type FleetStore = StoreApi<Fleet>;

export function createFleetStore(): FleetStore {
	return createStore<Fleet>(() => ({
		computers: new Map(),
		sessions: new Map(),
		signals: new Map(),
		problems: new Map(),
	}));
}
