import {join} from 'node:path';
import type {Config, ServiceAddress} from './config/config.ts';
import type {Database} from './db/database.ts';
import type {FleetStore} from './state/fleet.ts';
import type {Engine} from './sync/engine.ts';

/** An embedded service in this process. */
export type RunningLocalService = {
	/** Stops it with all its agents. `isQuit`: because the user has quit. */
	close(isQuit?: boolean): Promise<void>;
	agentsAtWork(): number;
};

type EmbeddedService = {
	readonly address: ServiceAddress;
	readonly computerIds: readonly string[];
	/** What it offers beside the contract. */
	readonly offers: readonly string[];
	/** Set if it was started in this process. */
	readonly started?: RunningLocalService;
};

type StartOptions = {
	/** Provision this machine's computer when the service has none. */
	readonly provisionsThisMachine: boolean;
	/** Called when the service loses a file. */
	readonly onFileLost: (what: string) => void;
};

/** The folder of the embedded service that `--local` uses. */
export function localFolder({stateFolder}: Pick<Config, 'stateFolder'>): string {
	return join(stateFolder, 'local');
}

/** Finds the embedded service that uses the state folder, or starts and announces one in this process. */
export async function findOrStartService(config: Config, options: StartOptions): Promise<EmbeddedService> {
	const {announce, findRunning, offers} = await import('./local/attach.ts');
	const folder = localFolder(config);
	const running = findRunning(folder);
	if (running) return running;
	const [{startLocalService}, {socketAddress}] = await Promise.all([
		import('./local/start-local-service.ts'),
		import('./local/socket-address.ts'),
	]);
	const service = await startLocalService({folder, agent: config.agent, ...options});
	let withdraw: () => void;
	try {
		withdraw = announce(folder, service);
	} catch (error) {
		await service.close();
		throw error;
	}
	return {
		address: socketAddress(service.socket, service.key),
		computerIds: service.computerIds(),
		offers,
		started: {
			async close(isQuit) {
				withdraw();
				await service.close(isQuit);
			},
			agentsAtWork: service.agentsAtWork,
		},
	};
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
