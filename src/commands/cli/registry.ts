import type {Database} from '../../db/database.ts';
import type {KnownComputer, KnownSession} from '../../domain/known.ts';
import {createFleetStore, type FleetStore} from '../../state/fleet.ts';
import type {Clock} from '../../sync/core/clock.ts';
import type {SafeWrite} from '../../sync/core/safe-write.ts';
import {createRegistry, type Registry} from '../../sync/fleet/registry.ts';

/** The engine's registry with the computers and sessions known on this machine. */
export type CommandRegistry = Registry & {
	readonly fleet: FleetStore;
	computer(id: string): KnownComputer | undefined;
	session(id: string): KnownSession | undefined;
};

export function openRegistry(
	database: Database,
	clock: Clock,
	note: (text: string) => void,
): CommandRegistry {
	const fleet = createFleetStore();
	const registry = createRegistry(database, fleet, createSafeWrite(note), clock);
	registry.load();
	return {
		...registry,
		fleet,
		computer: id => fleet.getState().computers.get(id),
		session: id => fleet.getState().sessions.get(id),
	};
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
