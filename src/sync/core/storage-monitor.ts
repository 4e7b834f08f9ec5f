import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Stores} from '../../state/stores.ts';
import type {EngineParts} from '../engine-parts.ts';
import {runInTimeSlices} from './time-slices.ts';

/** Interval between two checks of the size, ms. */
const checkInterval = 60_000;
/** Pruning stops at this fraction of the limit, so that it needn't start again immediately. */
const pruneTarget = 0.9;

const restartHint = "Fix this and restart Quarterdeck. Copy unsent text before you quit: it isn't saved.";

type StorageMonitorOptions = Pick<EngineParts, 'database' | 'clock' | 'safeWrite'> & {
	readonly stores: Pick<Stores, 'connection'>;
	/** Database size in bytes above which cached messages are pruned; without it, nothing is pruned. */
	readonly limit?: number | undefined;
	/** Ids of the sessions whose messages are kept. */
	readonly openSessions: () => readonly string[];
	/** Ids of the sessions whose newest messages are kept. */
	readonly watchedSessions: () => readonly string[];
};

/** Prunes cached messages when the database exceeds its size limit; reports its size and incidents. */
export class StorageMonitor {
	readonly #options: StorageMonitorOptions;
	readonly #limit: number;
	#cancel = () => {};
	#isPruning = false;
	#endPruning = () => {};

	constructor(options: StorageMonitorOptions) {
		this.#options = options;
		this.#limit = options.limit ?? Number.POSITIVE_INFINITY;
	}

	start(): void {
		if (this.#limit < Number.POSITIVE_INFINITY)
			this.#cancel = this.#options.clock.after(checkInterval, () => this.#check());
	}

	stop(): void {
		this.#cancel();
		this.#endPruning();
	}

	reportSizes(): void {
		const {database, stores} = this.#options;
		unlessStorageFails(() => {
			const stored = {...database.cache.size(), ...database.cache.totals(), limit: this.#limit};
			stores.connection.setState({stored});
		});
	}

	/** Reports the state of the database file and its past incidents. */
	reportFile(): void {
		const {database, clock, stores} = this.#options;
		const {problem} = database;
		const incidents = unlessStorageFails(database.incidents.all) ?? [];
		const {storage} = stores.connection.getState();
		stores.connection.setState({
			incidents,
			storage: problem
				? {what: problem, hint: restartHint, at: clock.now(), needsRestart: true}
				: // That problem belonged to an earlier file.
					storage?.needsRestart
					? undefined
					: storage,
		});
	}

	/** Records that the user has read what happened to the database file. */
	acknowledgeIncidents(): void {
		this.#options.safeWrite(this.#options.database.incidents.acknowledge);
		this.reportFile();
	}

	#check(): void {
		this.start();
		const {database, clock, openSessions} = this.#options;
		const open = openSessions();
		unlessStorageFails(() => {
			if (open.length > 0) database.cache.use(open);
		});
		const used = unlessStorageFails(() => database.cache.size().used) ?? 0;
		if (this.#isPruning || used <= this.#limit) return;
		this.#isPruning = true;
		this.#endPruning = runInTimeSlices(clock, this.#pruneSteps(), isOver => {
			this.#isPruning = !isOver;
			if (isOver) this.reportSizes();
		});
	}

	/** A storage error, such as a full disk, stops pruning until the next check. */
	*#pruneSteps(): Generator<undefined> {
		const {database, watchedSessions} = this.#options;
		const pruning = database.cache.prune(this.#limit * pruneTarget, watchedSessions())[Symbol.iterator]();
		while (unlessStorageFails(() => pruning.next().done) === false) yield;
	}
}
