import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Clock} from './clock.ts';

/** Interval between two checks, ms: short after a start or a write, then growing. A check takes a few microseconds. */
const minInterval = 20;
const maxInterval = 1000;

/**
 * While started, calls `onWrite` after other processes have written to the database, also before the start. Unlike
 * `PeerWriteWatcher`, it polls: it notices a write sooner, and needs no help from the system.
 */
export class PeerWritePoll {
	readonly #countWrites: Database['peerWriteCount'];
	readonly #clock: Clock;
	readonly #onWrite: () => void;
	#count: number | undefined;
	#cancel: (() => void) | undefined;
	#interval = minInterval;

	constructor({peerWriteCount}: Database, clock: Clock, onWrite: () => void) {
		this.#countWrites = peerWriteCount;
		this.#clock = clock;
		this.#onWrite = onWrite;
		this.#count = unlessStorageFails(peerWriteCount);
	}

	/** Starts, or checks more often again. */
	start(): void {
		if (this.#cancel && this.#interval === minInterval) return;
		this.stop();
		this.#interval = minInterval;
		this.#cancel = this.#clock.after(this.#interval, () => this.#check());
	}

	stop(): void {
		this.#cancel?.();
		this.#cancel = undefined;
	}

	#check(): void {
		const count = unlessStorageFails(this.#countWrites);
		const isNew = count !== this.#count;
		this.#count = count;
		this.#interval = isNew ? minInterval : Math.min(maxInterval, this.#interval * 1.5);
		this.#cancel = this.#clock.after(this.#interval, () => this.#check());
		if (isNew) this.#onWrite();
	}
}
