import type {Database} from './db/database.ts';
import type {FleetStore} from './state/fleet.ts';
import type {Engine} from './sync/engine.ts';

/**
 * Adds the embedded service's computers to the registry, since the API can't list computers. Forgotten ones
 * stay forgotten.
 */
export function saveLocalComputers({computers}: Database, ids: readonly string[]): void {
	const known = new Set([...computers.all().map(({id}) => id), ...computers.forgotten()]);
	const addedAt = Date.now();
	for (const id of ids) if (!known.has(id)) computers.put({id, origin: 'local', addedAt});
}

/** Adds the registry's computers to the engine, which started before the embedded service did. */
export function adoptLocalComputers({computers}: Database, fleet: FleetStore, engine: Engine): void {
	const known = fleet.getState().computers;
	for (const {id, origin} of computers.all()) if (!known.has(id)) engine.addComputer(id, origin);
}
