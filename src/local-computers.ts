import type {Database} from './db/database.ts';
import type {FleetStore} from './state/fleet.ts';
import type {Engine} from './sync/engine.ts';

/** An empty registry learns the computers the embedded service has: the contract has no call that lists them. */
export function keepLocalComputers({computers}: Database, ids: readonly string[]): void {
	if (computers.all().length > 0) return;
	const addedAt = Date.now();
	for (const id of ids) computers.put({id, origin: 'local', addedAt});
}

/** The engine, which began before the embedded service did, learns them too. */
export function adoptLocalComputers({computers}: Database, fleet: FleetStore, engine: Engine): void {
	const known = fleet.getState().computers;
	for (const {id, origin} of computers.all()) if (!known.has(id)) engine.addComputer(id, origin);
}
