import type {Computer} from '../../domain/computers/computer.ts';
import type {KnownComputer, Origin} from '../../domain/known.ts';
import type {EngineParts} from '../engine-parts.ts';
import {ComputerWatcher, type ComputerWatcherOptions} from './computer-watcher.ts';
import type {PeerChanges} from './registry.ts';

export class Computers {
	readonly #options: Omit<ComputerWatcherOptions, 'computerId'>;
	readonly #watchers = new Map<string, ComputerWatcher>();
	readonly #closing = new Set<Promise<void>>();
	#isFed = false;

	constructor(parts: EngineParts, onRecovered: (computerId: string) => void) {
		this.#options = {
			...parts,
			onRecovered,
			count: () => this.#watchers.size,
			isFed: () => this.#isFed,
		};
	}

	/** Closes all watchers; resolves when no request is left. */
	async stop(): Promise<void> {
		for (const watcher of this.#watchers.values()) this.#close(watcher);
		this.#watchers.clear();
		await Promise.all(this.#closing);
	}

	/** Reads all computers; with an id, that one only, and at once. */
	refresh(id?: string): void {
		for (const computerId of this.#options.registry.current().computers.keys()) {
			if (id === undefined) this.#watcherOf(computerId).kick();
			else if (computerId === id) this.#watcherOf(computerId).kick('urgent');
		}
	}

	/** Whether changes are told: then those that have come up are read rarely. */
	setFed(isFed: boolean): void {
		this.#isFed = isFed;
	}

	/** Marks a computer as on screen until the returned function is called. */
	watch(computerId: string): () => void {
		return this.#watcherOf(computerId).view();
	}

	/** Records a computer that the service returned. */
	remember(computer: Computer, origin: Origin): void {
		this.#options.registry.addComputer(computer.id, origin);
		this.#watcherOf(computer.id).accept(computer);
	}

	/** Records the id of a computer, and reads it. */
	add(computerId: string, origin: Origin): void {
		this.#options.registry.addComputer(computerId, origin);
		this.#watcherOf(computerId).kick('urgent');
	}

	/** Restores a forgotten computer in its old place, and reads it. */
	restore(known: KnownComputer): void {
		this.#options.registry.putComputer(known);
		this.#watcherOf(known.id).kick('urgent');
	}

	/** Forgets a computer on this machine; the service keeps it. */
	forget(computerId: string): void {
		this.#unwatch(computerId);
		this.#options.registry.forgetComputer(computerId);
	}

	/**
	 * Reads computers that another program has added, takes its newer snapshots of the others, and stops reading those that
	 * it has forgotten.
	 */
	readPeerWrites({computers, forgottenComputers}: PeerChanges): void {
		for (const known of computers) {
			const watcher = this.#watchers.get(known.id);
			if (watcher) watcher.acceptNewer(known);
			else this.#watcherOf(known.id).kick();
		}
		for (const id of forgottenComputers) this.#unwatch(id);
	}

	#watcherOf(computerId: string): ComputerWatcher {
		const known = this.#watchers.get(computerId);
		if (known) return known;
		const watcher = new ComputerWatcher({...this.#options, computerId});
		this.#watchers.set(computerId, watcher);
		return watcher;
	}

	#unwatch(computerId: string): void {
		const watcher = this.#watchers.get(computerId);
		this.#watchers.delete(computerId);
		if (watcher) this.#close(watcher);
	}

	#close(watcher: ComputerWatcher): void {
		const closed = watcher.close();
		this.#closing.add(closed);
		void closed.finally(() => this.#closing.delete(closed));
	}
}
