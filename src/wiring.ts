import {join} from 'node:path';
import {UnreachableError} from './api/errors.ts';
import type {ResponseFacts} from './api/facts.ts';
import type {Service} from './api/service.ts';
import type {Config, ServiceAddress} from './config/config.ts';
import {ConfigError} from './config/config-error.ts';
import {withKey, withoutKey} from './config/load-config.ts';
import {readSettings, type SettingsInput} from './config/settings.ts';
import {prepareStateFolder} from './config/state-folder.ts';
import type {Database} from './db/database.ts';
import type {LocalService} from './local/local-service.ts';
import {keepLocalComputers} from './local-computers.ts';
import {steadyService} from './steady-service.ts';

/**
 * The parts of the program, put together one by one when they are first asked for, so that a command pays only for
 * what it uses.
 */
export type Wiring = {
	readonly config: Config;
	/**
	 * The service, connected. In `local` mode it is the one running over the state folder, or else one that starts in
	 * this process; when the program it runs in ends, the next call finds another one or starts one here. Throws
	 * `ConfigError`, `ConfigSourceError` and `LocalServiceError`; the next call tries again then.
	 */
	connect(): Promise<Service>;
	/** The database of the profile. When nothing can be written it is in memory, and its `problem` says so. */
	database(): Promise<Database>;
	/** Closes what was opened; an embedded service that started here ends with everything it started. */
	close(): Promise<void>;
};

/** An embedded service that runs in this process, and the agents in it that end with it. */
export type KeptLocal = {
	close(): Promise<void>;
	agentsAtWork(): number;
};

export type WiringOptions = {
	/** Brings the address and key when the configuration holds none yet. */
	readonly address?: () => Promise<ServiceAddress | undefined>;
	readonly onResponse?: (facts: ResponseFacts) => void;
	/** How often one call is repeated; the client's own number when absent. */
	readonly retries?: number;
	/** Told when the embedded service started in this process, and so ends with it. */
	readonly onLocalStart?: () => void;
	/** Told each time the service was reached, what is known of its computers is in the database by then. */
	readonly onConnect?: () => void;
	/** Takes over the embedded service that starts here: closing the parts leaves it running. */
	readonly keepLocal?: (service: KeptLocal) => void;
	/** Provision this machine's computer when the embedded service has none. */
	readonly provisionsThisMachine?: boolean;
};

/** The folder of the embedded service that `--local` uses. */
export function localFolder(config: Pick<Config, 'stateFolder'>): string {
	return join(config.stateFolder, 'local');
}

export function createWiring(config: Config, options: WiringOptions = {}): Wiring {
	const closers: (() => Promise<void> | void)[] = [];
	let connected: Promise<Service> | undefined;
	let opened: Promise<Database> | undefined;
	let renewed: Promise<Service> | undefined;
	let isClosing = false;

	async function addressOf(): Promise<ServiceAddress> {
		if (config.mode === 'local') return reachLocal();
		const address = config.service ?? (await options.address?.());
		if (address) return address;
		throw new ConfigError(
			'no service is set up: set QUARTERDECK_BASE_URL and QUARTERDECK_API_KEY, or use --local',
		);
	}

	async function reachLocal(): Promise<ServiceAddress> {
		const {announce, findRunning} = await import('./local/attach.ts');
		const folder = localFolder(config);
		const running = findRunning(folder);
		if (running) {
			keepLocalComputers(await open(), running.computerIds);
			return {baseUrl: running.url, appUrl: running.url, key: running.key};
		}
		const {startLocalService} = await import('./local/start-local-service.ts');
		const service = await startLocalService({
			folder,
			agent: config.agent,
			provisionsThisMachine: options.provisionsThisMachine ?? false,
		});
		const withdraw = await announced(service, () => announce(folder, service));
		const end = async () => {
			withdraw();
			await service.close();
		};
		if (options.keepLocal) options.keepLocal({close: end, agentsAtWork: service.agentsAtWork});
		else closers.push(end);
		options.onLocalStart?.();
		keepLocalComputers(await open(), service.computerIds());
		return {baseUrl: service.url, appUrl: service.url, key: service.key};
	}

	async function connect(): Promise<Service> {
		const address = await addressOf();
		const {createHttpService} = await import('./api/http-service.ts');
		const {onResponse, retries} = options;
		const service = createHttpService({
			address,
			...(onResponse && {onResponse}),
			...(retries !== undefined && {retries}),
		});
		closers.push(() => service.close());
		options.onConnect?.();
		return service;
	}

	/** The service that took the place of the one that is gone. */
	function renew(): Promise<Service> {
		if (isClosing)
			return Promise.reject(new UnreachableError('The service has ended.', {hint: 'So does this.'}));
		renewed = connect();
		return renewed;
	}

	function open(): Promise<Database> {
		opened ??= openDatabaseOf(config).then(async database => {
			closers.push(() => database.close());
			if (config.mode === 'local') {
				const {storedComputerIds} = await import('./local/stored-computers.ts');
				keepLocalComputers(database, storedComputerIds(localFolder(config)));
			}
			return database;
		});
		return opened;
	}

	return {
		config,
		connect() {
			connected ??= connect().then(
				service => (config.mode === 'local' ? steadyService(service, renew) : service),
				error => {
					connected = undefined;
					throw error;
				},
			);
			return connected;
		},
		database: open,
		async close() {
			isClosing = true;
			await Promise.allSettled([connected, renewed, opened]);
			for (let last = closers.pop(); last; last = closers.pop()) await last();
		},
	};
}

/** A service that can't be found by others ends again. */
async function announced(service: LocalService, announce: () => () => void): Promise<() => void> {
	try {
		return announce();
	} catch (error) {
		await service.close();
		throw error;
	}
}

async function openDatabaseOf(config: Config): Promise<Database> {
	const folderProblem = prepareStateFolder(config.stateFolder);
	const {openDatabase} = await import('./db/open-database.ts');
	return openDatabase({file: config.databaseFile, ...(folderProblem !== undefined && {folderProblem})});
}

/**
 * The parts for one headless command. The key is brought when the service is first asked for; `note` tells the user,
 * in one line, what can't be kept and what ends with the command.
 */
export async function wireCommand(input: SettingsInput, note: (text: string) => void): Promise<Wiring> {
	const settings = await readSettings(input);
	const problem = prepareStateFolder(settings.stateFolder);
	if (problem) note(problem);
	return createWiring(withoutKey(settings), {
		address: async () => (await withKey(settings, input.env)).service,
		// Someone waits for the answer, and can ask again.
		retries: 1,
		onLocalStart: () =>
			note('the embedded service ends with this command; `quarterdeck serve` keeps one running'),
	});
}
