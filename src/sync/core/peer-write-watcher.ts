import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';

/** Minimum time between two checks of the database, ms: a busy program writes all the time. */
const minInterval = 700;
/** Delay from a write to its check, ms: one change often takes several writes. */
const settleDelay = 50;

/**
 * Calls `onWrite` within a second of another program's write to the shared database, and never for this program's own
 * writes. Uses no idle timer: the system reports writes.
 */
export class PeerWriteWatcher {
	readonly #database: Database;
	readonly #clock: Clock;
	readonly #onWrite: () => void;
	#count: number | undefined;
	#checkedAt: number;
	#isStarted = false;
	#cancel = () => {};

	constructor(database: Database, clock: Clock, onWrite: () => void) {
		this.#database = database;
		this.#clock = clock;
		this.#onWrite = onWrite;
		this.#count = unlessStorageFails(database.peerWriteCount);
		this.#checkedAt = clock.now();
	}

	start(): void {
		this.#cancel();
		this.#isStarted = true;
		this.#wait();
		this.#check();
	}

	/** Checks for writes. For systems that can't report them: call it when something else happens anyway. */
	checkIfDue(): void {
		if (this.#clock.now() - this.#checkedAt >= minInterval) this.#check();
	}

	stop(): void {
		this.#isStarted = false;
		this.#cancel();
		this.#cancel = () => {};
	}

	#wait(): void {
		this.#cancel = this.#database.onNextWrite(() =>
			this.#checkAgain(Math.max(settleDelay, this.#checkedAt + minInterval - this.#clock.now())),
		);
	}

	#check(): void {
		this.#checkedAt = this.#clock.now();
		const isDone = unlessStorageFails(() => {
			const before = this.#count;
			this.#count = this.#database.peerWriteCount();
			if (this.#count === before) return true;
			try {
				this.#onWrite();
			} catch (error) {
				this.#count = before;
				throw error;
			}
			return true;
		});
		if (!isDone && this.#isStarted) this.#checkAgain(minInterval);
	}

	#checkAgain(delay: number): void {
		this.#cancel();
		this.#cancel = this.#clock.after(delay, () => {
			// Wait first, so that a write during the check causes another check.
			this.#wait();
			this.#check();
		});
	}
}
