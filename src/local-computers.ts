import type {Database} from './db/database.ts';
import type {FleetStore} from './state/fleet.ts';
import type {Engine} from './sync/engine.ts';

/**
 * The registry learns the computers the embedded service has: the contract has no call that lists them. One that was
 * forgotten does not come back by itself.
 */
export function saveLocalComputers({computers}: Database, ids: readonly string[]): void {
	const known = new Set([...computers.all().map(({id}) => id), ...computers.forgotten()]);
	const addedAt = Date.now();
	for (const id of ids) if (!known.has(id)) computers.put({id, origin: 'local', addedAt});
}

/** The engine, which began before the embedded service did, learns them too. */
export function adoptLocalComputers({computers}: Database, fleet: FleetStore, engine: Engine): void {
	const known = fleet.getState().computers;
	for (const {id, origin} of computers.all()) if (!known.has(id)) engine.addComputer(id, origin);
}
