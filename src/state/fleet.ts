import {createStore, type StoreApi} from 'zustand/vanilla';
import type {KnownComputer, KnownSession} from '../domain/known.ts';
import type {HookRequest} from '../domain/sessions/hook-request.ts';
import type {Signal} from '../domain/sessions/signal.ts';

/** All known computers, sessions and hook signals. Maps are immutable and replaced on change. */
export type Fleet = {
	readonly computers: ReadonlyMap<string, KnownComputer>;
	readonly sessions: ReadonlyMap<string, KnownSession>;
	/** By `signalKey(client, sessionId)`. */
	readonly signals: ReadonlyMap<string, Signal>;
	/** Requests whose hooks wait for an answer, by id, oldest first. Never stored. */
	readonly requests: ReadonlyMap<string, HookRequest>;
	/** Last polling problem of a computer or session, by id; cleared by a successful read. */
	readonly problems: ReadonlyMap<string, Problem>;
};

/** An error as displayed: one line about the problem and one about the remedy. `at` is Unix ms. */
export type Problem = {
	readonly what: string;
	readonly hint?: string;
	readonly at: number;
	/** Not an error: the service doesn't yet return a resource that was just created. */
	readonly isStarting?: boolean;
	/** The service doesn't have it (404), and it isn't new; or there is no transcript. */
	readonly isMissing?: boolean;
};

export type FleetStore = StoreApi<Fleet>;

export function createFleetStore(): FleetStore {
	return createStore<Fleet>(() => ({
		computers: new Map(),
		sessions: new Map(),
		signals: new Map(),
		requests: new Map(),
		problems: new Map(),
	}));
}
