import {unlessStorageFails} from '../../db/storage-error.ts';
import type {ConnectionStore} from '../../state/connection.ts';
import type {EngineParts} from '../engine-parts.ts';
import {runInTimeSlices} from './time-slices.ts';

/** Interval between two checks of the size, ms. */
const checkInterval = 60_000;
/** Pruning stops at this fraction of the limit, so that it needn't start again immediately. */
const pruneTarget = 0.9;

type StoragePrunerOptions = Pick<EngineParts, 'database' | 'clock'> & {
	readonly connection: ConnectionStore;
	/** Maximum size of the database, bytes. */
	readonly limit: number;
	/** Ids of the sessions whose messages are kept. */
	readonly openSessions: () => readonly string[];
	/** Ids of the sessions whose newest messages are kept. */
	readonly watchedSessions: () => readonly string[];
};

/** Prunes cached messages when the database exceeds its size limit, and reports what is stored. */
export class StoragePruner {
	readonly #options: StoragePrunerOptions;
	#cancel = () => {};
	#isPruning = false;
	#endPruning = () => {};

	constructor(options: StoragePrunerOptions) {
		this.#options = options;
	}

	start(): void {
		this.#cancel = this.#options.clock.after(checkInterval, () => this.#check());
	}

	stop(): void {
		this.#cancel();
		this.#endPruning();
	}

	/** Updates the reported sizes. */
	reportSizes(): void {
		const {database, connection, limit} = this.#options;
		unlessStorageFails(() => {
			const stored = {...database.cache.size(), ...database.cache.totals(), limit};
			connection.setState({stored});
		});
	}

	#check(): void {
		this.start();
		const {database, clock, limit, openSessions} = this.#options;
		const open = openSessions();
		unlessStorageFails(() => {
			if (open.length > 0) database.cache.use(open);
		});
		const used = unlessStorageFails(() => database.cache.size().used) ?? 0;
		if (this.#isPruning || used <= limit) return;
		this.#isPruning = true;
		this.#endPruning = runInTimeSlices(clock, this.#pruneSteps(), isOver => {
			this.#isPruning = !isOver;
			if (isOver) this.reportSizes();
		});
	}

	/** A storage error, such as a full disk, stops pruning until the next check. */
	*#pruneSteps(): Generator<undefined> {
		const {database, limit, watchedSessions} = this.#options;
		const pruning = database.cache.prune(limit * pruneTarget, watchedSessions())[Symbol.iterator]();
		while (unlessStorageFails(() => pruning.next().done) === false) yield;
	}
}
