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

type Value<Name extends keyof Fleet> = Fleet[Name] extends ReadonlyMap<string, infer Item> ? Item : never;

/** Changes the fleet store: one update for each change, or one for all changes made within `together`. */
export class FleetChanges {
	readonly #fleet: FleetStore;
	/** State with pending changes that the store doesn't have yet. */
	#pending: Fleet | undefined;
	/** Maps copied for the pending changes. Nothing else refers to them, so they can be modified in place. */
	readonly #copies = new Set<unknown>();

	constructor(fleet: FleetStore) {
		this.#fleet = fleet;
	}

	/** The state with pending changes. Its maps are modified in place while `together` runs. */
	current(): Fleet {
		return this.#pending ?? this.#fleet.getState();
	}

	/** Runs several changes and applies them to the store in one update; applies none if `run` throws. */
	together<T>(run: () => T): T {
		if (this.#pending) return run();
		const before = this.#fleet.getState();
		this.#pending = before;
		try {
			const result = run();
			const after = this.#pending;
			this.#clearPending();
			if (after !== before) this.#fleet.setState(after, true);
			return result;
		} finally {
			this.#clearPending();
		}
	}

	set(change: Partial<Fleet>): void {
		if (this.#pending) this.#pending = {...this.#pending, ...change};
		else this.#fleet.setState(change);
	}

	put<Name extends keyof Fleet>(name: Name, values: readonly (readonly [id: string, Value<Name>])[]): void {
		if (values.length > 0)
			this.#edit(name, map => {
				for (const [id, value] of values) map.set(id, value);
			});
	}

	remove(name: keyof Fleet, ids: readonly string[]): void {
		if (ids.length > 0)
			this.#edit(name, map => {
				for (const id of ids) map.delete(id);
			});
	}

	/** Edits a copy of the map. While changes are pending, many edits cost one copy. */
	#edit<Name extends keyof Fleet>(name: Name, edit: (map: Map<string, Value<Name>>) => void): void {
		const map = this.current()[name] as ReadonlyMap<string, Value<Name>>;
		const copy = this.#copies.has(map) ? (map as Map<string, Value<Name>>) : new Map(map);
		if (this.#pending) this.#copies.add(copy);
		edit(copy);
		this.set({[name]: copy});
	}

	/** Drops the pending state once it is applied or abandoned: its maps may no longer be modified in place. */
	#clearPending(): void {
		this.#pending = undefined;
		this.#copies.clear();
	}
}
