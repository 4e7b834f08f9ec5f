import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {Config} from './config/config.ts';
import type {Database} from './db/database.ts';
import {socketFile} from './local/socket-address.ts';
import type {FleetStore} from './state/fleet.ts';
import type {Engine} from './sync/engine.ts';

/** The folder of the embedded service that `--local` uses. */
export function localFolder({stateFolder}: Pick<Config, 'stateFolder'>): string {
	return join(stateFolder, 'local');
}

/** Whether no embedded service listens, so that no agent of its sessions can be at work. */
export function isServiceGone(config: Config): boolean {
	return config.mode === 'local' && !existsSync(socketFile(localFolder(config)));
}

/** Saves the embedded service's computers, which the API can't list, except those that the user has forgotten. */
export function saveLocalComputers({computers}: Database, ids: readonly string[]): void {
	const known = new Set([...computers.all().map(({id}) => id), ...computers.forgotten()]);
	const addedAt = Date.now();
	for (const id of ids) if (!known.has(id)) computers.put({id, origin: 'local', addedAt});
}

/** Adds saved computers to the engine, which started before the embedded service did. */
export function adoptLocalComputers({computers}: Database, fleet: FleetStore, engine: Engine): void {
	const known = fleet.getState().computers;
	for (const {id, origin} of computers.all()) if (!known.has(id)) engine.computers.add(id, origin);
}
