import type {Database} from '../../db/database.ts';
import {createFleetStore} from '../../state/fleet.ts';
import type {Clock} from '../../sync/core/clock.ts';
import type {SafeWrite} from '../../sync/core/safe-write.ts';
import {Registry} from '../../sync/fleet/registry.ts';

/** Opens the registry with the computers and sessions known on this machine. */
export function openRegistry(database: Database, clock: Clock, note: (text: string) => void): Registry {
	const registry = new Registry(database, createFleetStore(), createSafeWrite(note), clock);
	registry.load();
	return registry;
}

/** Writes to disk. Reports a failing disk once; the command's result is still shown. */
export function createSafeWrite(note: (text: string) => void): SafeWrite {
	let isReported = false;
	return write => {
		try {
			write();
		} catch (error) {
			if (!isReported) note(`this can't be saved: ${(error as Error).message}`);
			isReported = true;
		}
	};
}
