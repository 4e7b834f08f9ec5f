import {join} from 'node:path';
import type {FoundAccount} from './accounts.ts';
import {UnreachableError} from './api/errors.ts';
import type {ResponseInfo} from './api/response-info.ts';
import type {Service} from './api/service.ts';
import type {Config, ServiceAddress} from './config/config.ts';
import {ConfigError} from './config/config-error.ts';
import {withKey, withoutKey} from './config/load-config.ts';
import {readSettings, type SettingsInput} from './config/settings.ts';
import {prepareStateFolder} from './config/state-folder.ts';
import type {Database, Machine} from './db/database.ts';
import {unlessStorageFails} from './db/storage-error.ts';
import {type Account, accountName} from './domain/accounts/account.ts';
import {reach} from './lazy-service.ts';
import type {LocalService} from './local/local-service.ts';
import {saveLocalComputers} from './local-computers.ts';
import {reconnectingService} from './reconnecting-service.ts';

/** Builds the parts of the program on first use, so that a command pays only for what it uses. */
export type Wiring = {
	readonly config: Config;
	/**
	 * Connects to the service. In `local` mode that is the one already running over the state folder, or one
	 * started in this process; when its process ends, the next call finds another one or starts one here.
	 * Throws `ConfigError`, `ConfigSourceError` and `LocalServiceError`; the next call retries.
	 */
	connect(): Promise<Service>;
	/** The account that the address and key open. A key that is new here is first checked at the service. */
	account(): Promise<FoundAccount>;
	/** The account's database; in memory if nothing can be written, with `problem` set. */
	database(): Promise<Database>;
	/** The machine's database, shared by all accounts. */
	machine(): Promise<Machine>;
	/**
	 * Closes everything that was opened, and stops an embedded service that was started here with all its
	 * agents.
	 */
	close(): Promise<void>;
};

/** An embedded service in this process. */
export type RunningLocalService = {
	close(): Promise<void>;
	agentsAtWork(): number;
};

export type WiringOptions = {
	/** Loads the address and key when the configuration has none yet. */
	readonly address?: () => Promise<ServiceAddress | undefined>;
	readonly onResponse?: (facts: ResponseInfo) => void;
	/** Retries per call; the client's default when absent. */
	readonly retries?: number;
	/** Called with one line for each problem or incident of the database file. */
	readonly onStorageTrouble?: (text: string) => void;
	/** Called when the embedded service has started in this process; it stops with the process. */
	readonly onLocalStart?: () => void;
	/** Called each time the service is reached, after its known computers are saved in the database. */
	readonly onConnect?: () => void;
	/** Takes ownership of the embedded service started here: closing the wiring leaves it running. */
	readonly adoptLocalService?: (service: RunningLocalService) => void;
	/** Called before the service is asked which account a new key belongs to. */
	readonly onChecking?: () => void;
	/** Called when a new key gets its own account although it may belong to an existing one. */
	readonly onDoubt?: (found: FoundAccount) => void;
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
	let address: Promise<ServiceAddress> | undefined;
	let machineOpened: Promise<Machine> | undefined;
	let machineReported: Promise<Machine> | undefined;
	let found: Promise<FoundAccount> | undefined;
	/** The account's database, once it is open. */
	let opening: {readonly machine: Machine; readonly id: string; readonly database: Database} | undefined;
	let isClosing = false;
	/** Reported lines: the account's database repeats the machine's. */
	const reported = new Set<string>();

	/** Reports existing problems immediately and later ones as they occur. */
	function reportTrouble(database: Pick<Database, 'problem' | 'incidents' | 'onChange'>): void {
		const {onStorageTrouble: report} = options;
		if (!report) return;
		const look = () => {
			const {problem} = database;
			if (problem !== undefined && !reported.has(problem)) report(problem);
			if (problem !== undefined) reported.add(problem);
			const incidents = (unlessStorageFails(database.incidents.all) ?? []).map(({what}) => what);
			const newest = incidents.findLast(what => !reported.has(what));
			for (const what of incidents) reported.add(what);
			if (newest !== undefined) report(`${newest} ${incidentAdvice(incidents.length - 1)}`);
		};
		look();
		database.onChange(look);
	}

	/** Loaded once: a key command may print a different key next time, possibly of another account. */
	function remoteAddress(): Promise<ServiceAddress> {
		address ??= bringAddress().catch(error => {
			address = undefined;
			throw error;
		});
		return address;
	}

	async function bringAddress(): Promise<ServiceAddress> {
		const address = config.service ?? (await options.address?.());
		if (address) return address;
		throw new ConfigError(
			'no service is set up: set QUARTERDECK_BASE_URL and QUARTERDECK_API_KEY, or use --local',
		);
	}

	/** Called by the embedded service when it loses a file. */
	function onFileLost(what: string): void {
		if (isClosing) return;
		void machine().then(({incidents}) => unlessStorageFails(() => incidents.add({at: Date.now(), what})));
	}

	const addressOf = () => (config.mode === 'local' ? reachLocal() : remoteAddress());

	async function reachLocal(): Promise<ServiceAddress> {
		const {announce, findRunning} = await import('./local/attach.ts');
		const folder = localFolder(config);
		const running = findRunning(folder);
		if (running) {
			saveLocalComputers(await open(), running.computerIds);
			return running.address;
		}
		const [{startLocalService}, {socketAddress}] = await Promise.all([
			import('./local/start-local-service.ts'),
			import('./local/socket-address.ts'),
		]);
		const service = await startLocalService({
			folder,
			agent: config.agent,
			provisionsThisMachine: options.provisionsThisMachine ?? false,
			onFileLost,
		});
		const withdraw = await announced(service, () => announce(folder, service));
		const end = async () => {
			withdraw();
			await service.close();
		};
		if (options.adoptLocalService)
			options.adoptLocalService({close: end, agentsAtWork: service.agentsAtWork});
		else closers.push(end);
		options.onLocalStart?.();
		saveLocalComputers(await open(), service.computerIds());
		return socketAddress(service.socket, service.key);
	}

	async function connect(): Promise<Service> {
		const address = await addressOf();
		const [{createHttpService}, {noteAnswer, rememberingUsers}] = await Promise.all([
			import('./api/http-service.ts'),
			import('./accounts.ts'),
		]);
		const {retries} = options;
		let isNoted = false;
		const service = createHttpService({
			address,
			onResponse(facts) {
				if (facts.retryAt !== undefined) holdOutbox(facts.retryAt, facts.resource);
				if (opening && !isNoted) isNoted = noteAnswer(opening.machine, opening.id, facts);
				options.onResponse?.(facts);
			},
			...(retries !== undefined && {retries}),
		});
		closers.push(() => service.close());
		options.onConnect?.();
		return rememberingUsers(service, () => opening?.database.settings);
	}

	/**
	 * Makes every process that shares the database hold its messages until the wait that the service asked
	 * for is over.
	 */
	function holdOutbox(until: number, resource: string): void {
		// Readiness reports come from a separate host.
		if (resource.startsWith('readiness')) return;
		void opened?.then(database => {
			if (isClosing) return;
			unlessStorageFails(() => database.outbox.waitForService({since: Date.now(), until}));
		});
	}

	/** Connects to the service that replaced the one that is gone. */
	function renew(): Promise<Service> {
		if (isClosing)
			return Promise.reject(
				new UnreachableError('The service has stopped.', {hint: 'Quarterdeck is closing.'}),
			);
		renewed = connect();
		return renewed;
	}

	/** Doesn't report its problems: the account's database does (see `machine`). */
	function openMachineDatabase(): Promise<Machine> {
		machineOpened ??= import('./accounts.ts').then(({openMachine}) => {
			const opened = openMachine(config.stateFolder, prepareStateFolder(config.stateFolder));
			closers.push(() => opened.close());
			return opened;
		});
		return machineOpened;
	}

	/** The machine's database for callers that open no account: reports its problems here. */
	function machine(): Promise<Machine> {
		machineReported ??= openMachineDatabase().then(opened => {
			reportTrouble(opened);
			return opened;
		});
		return machineReported;
	}

	function account(): Promise<FoundAccount> {
		found ??= findAccount().catch(error => {
			found = undefined;
			throw error;
		});
		return found;
	}

	async function findAccount(): Promise<FoundAccount> {
		const known = await openMachineDatabase();
		const {findKnownAccount, findLocalAccount, findUnconnected, matchNewKey} = await import('./accounts.ts');
		if (config.mode === 'none') return findUnconnected(known);
		if (config.mode === 'local') return findLocalAccount(known, config);
		const address = await remoteAddress();
		const account = findKnownAccount(known, address);
		if (account) return {account};
		const {onChecking} = options;
		const result = await matchNewKey(known, config, address, {onChecking, connect: () => toAsk(address)});
		if (result.doubt) options.onDoubt?.(result);
		return result;
	}

	/** A client for requests made before the account is known; reports its responses to no one. */
	async function toAsk(address: ServiceAddress): Promise<Service> {
		const {createHttpService} = await import('./api/http-service.ts');
		const service = createHttpService({address, retries: 0});
		closers.push(() => service.close());
		return service;
	}

	function open(): Promise<Database> {
		opened ??= openAccount();
		return opened;
	}

	async function openAccount(): Promise<Database> {
		const folderProblem = prepareStateFolder(config.stateFolder);
		const [known, {account: own}, {openAccountDatabase}] = await Promise.all([
			openMachineDatabase(),
			account(),
			import('./accounts.ts'),
		]);
		const service = config.mode === 'remote' ? await remoteAddress() : undefined;
		const database = openAccountDatabase(known, own, {
			stateFolder: config.stateFolder,
			folderProblem,
			service,
		});
		opening = {machine: known, id: own.id, database};
		closers.push(() => database.close());
		reportTrouble(database);
		if (config.mode === 'local') {
			const {storedComputerIds} = await import('./local/stored-computers.ts');
			saveLocalComputers(database, storedComputerIds(localFolder(config)));
		}
		return database;
	}

	return {
		config,
		connect() {
			connected ??= connect().then(
				service => (config.mode === 'local' ? reconnectingService(service, () => reach(renew)) : service),
				error => {
					connected = undefined;
					throw error;
				},
			);
			return connected;
		},
		account,
		database: open,
		machine,
		async close() {
			isClosing = true;
			await Promise.allSettled([connected, renewed, machineOpened, opened]);
			for (let last = closers.pop(); last; last = closers.pop()) await last();
		},
	};
}

/** `earlier`: the number of incidents not printed in this line. */
function incidentAdvice(earlier: number): string {
	const others =
		earlier === 0 ? '' : `And ${earlier} earlier ${earlier === 1 ? 'one' : 'ones'}: quarterdeck doctor. `;
	return `${others}quarterdeck doctor --acknowledge clears this message.`;
}

/** Announces a local service to other programs; closes it if that fails. */
async function announced(service: LocalService, announce: () => () => void): Promise<() => void> {
	try {
		return announce();
	} catch (error) {
		await service.close();
		throw error;
	}
}

function doubtText(account: Account, {other, why: reason}: NonNullable<FoundAccount['doubt']>): string {
	if (reason === 'no-answer')
		return `this key is new on this machine and the service doesn't respond: until it says whether the key belongs to ${accountName(other)}, nothing of that account is shown`;
	if (reason === 'refused')
		return `the service refused this key (401): nothing of ${accountName(other)} is shown with it`;
	const why = reason === 'other' ? "it can't see the data of" : 'it is unclear whether it belongs to';
	return `this key is new on this machine, and ${why} ${accountName(other)}: it has its own account, ${account.id}; if both belong to the same organization, run quarterdeck accounts join ${other.id} ${account.id}`;
}

/**
 * The wiring of one headless command. Loads the key when the service or its account's database is first used.
 * Calls `note` with one line for each storage problem, doubtful account, and service that stops with the
 * command.
 */
export async function wireCommand(input: SettingsInput, note: (text: string) => void): Promise<Wiring> {
	const settings = await readSettings(input);
	const problem = prepareStateFolder(settings.stateFolder);
	if (problem) note(problem);
	return createWiring(withoutKey(settings), {
		address: async () => (await withKey(settings, input.env, input.signal)).service,
		// The user is waiting and can run the command again.
		retries: 1,
		onStorageTrouble: text => {
			if (text !== problem) note(text);
		},
		onDoubt({account, doubt}) {
			if (doubt) note(doubtText(account, doubt));
		},
		onLocalStart: () =>
			note('the embedded service stops with this command; `quarterdeck serve` keeps it running'),
	});
}
