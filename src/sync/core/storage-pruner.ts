import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/storage-error.ts';
import type {ConnectionStore} from '../../state/connection.ts';
import type {Clock} from './clock.ts';
import {runInTimeSlices} from './time-slices.ts';

/** Interval between two checks of the size, ms. */
const apart = 60_000;
/** Pruning stops at this fraction of the limit, so that it needn't start again immediately. */
const share = 0.9;

/** Prunes cached messages when the database exceeds its size limit, and reports what is stored. */
export type StoragePruner = {
	start(): void;
	stop(): void;
	/** Updates the reported sizes. */
	look(): void;
};

export function createStoragePruner(
	database: Database,
	connection: ConnectionStore,
	clock: Clock,
	{limit, openSessions}: {limit: number; openSessions: () => readonly string[]},
): StoragePruner {
	let endPruning: (() => void) | undefined;
	let cancel = () => {};

	function look(): void {
		unlessStorageFails(() => {
			const stored = {...database.cache.size(), ...database.cache.totals(), limit};
			connection.setState({stored});
		});
	}

	/** A storage error, such as a full disk, stops pruning until the next check. */
	function* steps(): Generator<undefined> {
		const pruning = database.cache.prune(limit * share)[Symbol.iterator]();
		while (unlessStorageFails(() => pruning.next().done) === false) yield;
	}

	function check(): void {
		cancel = clock.after(apart, check);
		const open = openSessions();
		unlessStorageFails(() => {
			if (open.length > 0) database.cache.use(open);
		});
		const used = unlessStorageFails(() => database.cache.size().used) ?? 0;
		if (endPruning || used <= limit) return;
		endPruning = () => {};
		const end = runInTimeSlices(clock, steps(), isOver => {
			if (!isOver) return;
			endPruning = undefined;
			look();
		});
		if (endPruning) endPruning = end;
	}

	return {
		start() {
			cancel = clock.after(apart, check);
		},
		stop() {
			cancel();
			endPruning?.();
		},
		look,
	};
}
