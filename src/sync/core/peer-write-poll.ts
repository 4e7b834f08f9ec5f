import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/storage-error.ts';
import type {Clock} from './clock.ts';

/** How soon a write must be noticed. */
export type Urgency = 'soon' | 'later';
/** Interval between two checks, ms: short after a write, then growing. A check takes a few microseconds. */
const minPause = 20;
const maxPause: Readonly<Record<Urgency, number>> = {soon: 250, later: 1_000};

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
	#urgency: Urgency = 'later';

	constructor({peerWriteCount}: Database, clock: Clock, onWrite: () => void) {
		this.#countWrites = peerWriteCount;
		this.#clock = clock;
		this.#onWrite = onWrite;
		this.#count = unlessStorageFails(peerWriteCount);
	}

	start(urgency: Urgency): void {
		if (this.#cancel && (this.#urgency === 'soon' || urgency === this.#urgency)) return;
		this.#cancel?.();
		this.#urgency = urgency;
		this.#pause = minPause;
		this.#cancel = this.#clock.after(this.#pause, () => this.#check());
	}

	stop(): void {
		this.#cancel?.();
		this.#cancel = undefined;
	}

	#check(): void {
		const count = unlessStorageFails(this.#countWrites);
		const isNew = count !== this.#count;
		this.#count = count;
		this.#pause = isNew ? minPause : Math.min(maxPause[this.#urgency], this.#pause * 1.5);
		this.#cancel = this.#clock.after(this.#pause, () => this.#check());
		if (isNew) this.#onWrite();
	}
}
