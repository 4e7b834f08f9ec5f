import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/storage-error.ts';
import type {Clock} from './clock.ts';

/** How soon a write must be noticed. */
export type Haste = 'soon' | 'later';
/** Interval between two checks, ms: short after a write, then growing. A check takes a few microseconds. */
const minPause = 20;
const maxPause: Readonly<Record<Haste, number>> = {soon: 250, later: 1_000};

/**
 * While started, polls for writes of other processes to the database and calls `onWrite` after each. Unlike
 * `PeerWriteWatcher`, notices them within milliseconds. Writes before the start that were not noticed yet
 * count, too.
 */
export class PeerWritePoll {
	readonly #countWrites: Database['peerWriteCount'];
	readonly #clock: Clock;
	readonly #onWrite: () => void;
	#count: number | undefined;
	#cancel: (() => void) | undefined;
	#pause: number = minPause;
	#haste: Haste = 'later';

	constructor({peerWriteCount}: Database, clock: Clock, onWrite: () => void) {
		this.#countWrites = peerWriteCount;
		this.#clock = clock;
		this.#onWrite = onWrite;
		this.#count = unlessStorageFails(peerWriteCount);
	}

	start(haste: Haste): void {
		if (this.#cancel && (this.#haste === 'soon' || haste === this.#haste)) return;
		this.#cancel?.();
		this.#haste = haste;
		this.#pause = minPause;
		this.#cancel = this.#clock.after(this.#pause, () => this.#look());
	}

	stop(): void {
		this.#cancel?.();
		this.#cancel = undefined;
	}

	#look(): void {
		const count = unlessStorageFails(this.#countWrites);
		const isNew = count !== this.#count;
		this.#count = count;
		this.#pause = isNew ? minPause : Math.min(maxPause[this.#haste], this.#pause * 1.5);
		this.#cancel = this.#clock.after(this.#pause, () => this.#look());
		if (isNew) this.#onWrite();
	}
}
