import type {FoundAccount} from './accounts.ts';
import type {Client} from './api/client.ts';
import type {ResponseInfo} from './api/http/http-client.ts';
import {Connection, createService, type Service} from './api/service.ts';
import {type Config, ConfigError, type ServiceAddress} from './config/config.ts';
import {prepareStateFolder} from './config/ownership.ts';
import type {Database, Machine} from './db/database.ts';
import {unlessStorageFails} from './db/file/storage-error.ts';
import {type Account, localAccount, noAccount} from './domain/accounts/account.ts';
import {type Clock, systemClock} from './domain/clock.ts';
import {ownProgram} from './domain/own-program.ts';
import type {RunningService} from './domain/running-service.ts';
import {localFolder, saveLocalComputers} from './embedded-service.ts';

type WiringOptions = {
	/** Loads the address and key when the configuration has none yet. */
	readonly address?: () => Promise<ServiceAddress | undefined>;
	/** Where nothing is saved yet, no files are created. */
	readonly onlyReads?: boolean | undefined;
	/** The system's when absent. */
	readonly clock?: Clock;
	readonly onResponse?: (info: ResponseInfo) => void;
	/** Retries per call; the client's default when absent. */
	readonly retries?: number;
	/** Called with one line for each problem or incident of the database file. */
	readonly onStorageTrouble?: (text: string) => void;
	/** Called each time the service is reached, after its known computers are saved in the database. */
	readonly onConnect?: (embedded: RunningService | undefined) => void;
	/** Called once after a profile's key was replaced, with the account that the new one opens, too. */
	readonly onNewKey?: (account: Account) => void;
};

/** Builds the parts of the program on first use, so that a command pays only for what it uses. */
export class Wiring {
	readonly config: Config;
	/** The service, connected by its first call; if that fails, every call does. */
	readonly service: Service;
	readonly #options: WiringOptions;
	readonly #clock: Clock;
	readonly #connection: Connection;
	readonly #closers: (() => Promise<void> | void)[] = [];
	/** Lines of `onStorageTrouble`: the account's database repeats the machine's. */
	readonly #reported = new Set<string>();
	#isClosing = false;
	/** The embedded service that was reached. */
	#embedded: RunningService | undefined;

	// Loaded once: a key command may print another account's key next time.
	readonly #address = new Once(() => this.#loadAddress());
	readonly #account = new Once(() => this.#findAccount());
	readonly #database = new Once(() => this.#openDatabase());
	readonly #machine = new Once(() => this.#openMachine());
	readonly #reportedMachine = new Once(async () => this.#reportTrouble(await this.#machine.get()));

	#skew: number | undefined;
	#isEmbedded = false;

	constructor(config: Config, options: WiringOptions = {}) {
		this.config = config;
		this.#options = options;
		this.#clock = options.clock ?? systemClock;
		// When the embedded service's process ends, the next call finds another one or starts one.
		this.#connection = new Connection(() => this.#openClient(), {
			renews: config.mode === 'local',
			offers: () => this.#embedded?.offers ?? [],
		});
		this.service = createService(this.#connection, config);
	}

	/**
	 * Connects the service, which in `local` mode is started unless it runs already. Throws `ConfigError`, `ConfigSourceError` and `LocalServiceError`; the next
	 * call retries.
	 */
	async connect(): Promise<Service> {
		await this.#connection.connect();
		return this.service;
	}

	/** Whether the service is an embedded one, as far as it has announced itself. */
	get isEmbedded(): boolean {
		return this.config.mode === 'local' || this.#isEmbedded;
	}

	/** How far the service's clock is ahead of this machine's by its last answer, ms. */
	get skew(): number | undefined {
		return this.#skew;
	}

	/** The account that the address and key open. Throws as `findAccount` does. */
	account(): Promise<FoundAccount> {
		return this.#account.get();
	}

	/** The account's database; in memory if nothing can be written, with `problem` set. */
	database(): Promise<Database> {
		return this.#database.get();
	}

	/** The machine's database, shared by all accounts, for callers that open no account. */
	machine(): Promise<Machine> {
		return this.#reportedMachine.get();
	}

	/** Closes everything that was opened. An embedded service goes on. */
	async close(): Promise<void> {
		this.#isClosing = true;
		await this.#connection.close();
		await Promise.allSettled([this.#machine.promise, this.#database.promise]);
		for (let last = this.#closers.pop(); last; last = this.#closers.pop()) await last();
	}

	async #loadAddress(): Promise<ServiceAddress> {
		const address = this.config.service ?? (await this.#options.address?.());
		return address ?? noService();
	}

	/** Throws `ConfigError` if no service is set up. */
	requireService(): void {
		if (this.config.mode === 'none') noService();
	}

	async #openClient(): Promise<Client> {
		const isLocal = this.config.mode === 'local';
		const address = isLocal ? await this.#reachEmbedded() : await this.#address.get();
		const {createHttpClient} = await import('./api/http/http-client.ts');
		const {retries, onResponse, onConnect} = this.#options;
		const client = createHttpClient({
			address,
			clock: this.#clock,
			onResponse: info => {
				this.#skew = info.skewMs ?? this.#skew;
				this.#isEmbedded = info.isEmbedded ?? this.#isEmbedded;
				const {base} = info.waitUntil ?? {};
				if (base !== undefined) this.#holdOutbox(base);
				onResponse?.(info);
			},
			retries,
		});
		onConnect?.(this.#embedded);
		return client;
	}

	async #reachEmbedded(): Promise<ServiceAddress> {
		const {reachService} = await import('./reach-service.ts');
		const reached = await reachService(this.config);
		this.#embedded = reached;
		saveLocalComputers(await this.database(), reached.computerIds);
		return reached.address;
	}

	/** Makes all processes that share the database send no messages until the service allows it again. */
	#holdOutbox(until: number): void {
		void this.#database.promise?.then(database => {
			if (this.#isClosing) return;
			unlessStorageFails(() => database.outbox.waitForService({since: this.#clock.now(), until}));
		});
	}

	async #findAccount(): Promise<FoundAccount> {
		const {config} = this;
		const machine = await this.#machine.get();
		const {findAccount, fixedAccount} = await import('./accounts.ts');
		if (config.mode === 'none') return {account: fixedAccount(machine, noAccount, 'none')};
		if (config.mode === 'local') {
			const account = fixedAccount(machine, localAccount, 'local');
			unlessStorageFails(() => machine.accounts.recordUse(account, config.profile, this.#clock.now()));
			return {account};
		}
		const found = findAccount(machine, config, await this.#address.get());
		if (found.hasNewKey) this.#options.onNewKey?.(found.account);
		return found;
	}

	/** Doesn't report the problems of the file, since the account's database does (see `machine`). */
	async #openMachine(): Promise<Machine> {
		const {openMachine} = await import('./account-files.ts');
		const {stateFolder} = this.config;
		const {onlyReads} = this.#options;
		const machine = openMachine(stateFolder, prepareStateFolder(stateFolder, onlyReads), onlyReads);
		this.#closers.push(() => machine.close());
		return machine;
	}

	async #openDatabase(): Promise<Database> {
		const {config} = this;
		const {stateFolder} = config;
		const folderProblem = prepareStateFolder(stateFolder, this.#options.onlyReads);
		const [machine, {account}, {openAccountDatabase}] = await Promise.all([
			this.#machine.get(),
			this.account(),
			import('./accounts.ts'),
		]);
		const service = config.mode === 'remote' ? await this.#address.get() : undefined;
		const database = openAccountDatabase(machine, account, {stateFolder, folderProblem, service});
		this.#closers.push(() => database.close());
		this.#reportTrouble(database);
		if (config.mode === 'local') {
			const {storedComputerIds} = await import('./local/service-files.ts');
			saveLocalComputers(database, storedComputerIds(localFolder(config)));
		}
		return database;
	}

	/** Reports existing problems immediately and later ones as they occur. */
	#reportTrouble<Reported extends Pick<Database, 'problem' | 'incidents' | 'onChange'>>(
		database: Reported,
	): Reported {
		const {onStorageTrouble: report} = this.#options;
		if (!report) return database;
		const reported = this.#reported;
		const reportNew = () => {
			const {problem} = database;
			if (problem !== undefined && !reported.has(problem)) report(problem);
			if (problem !== undefined) reported.add(problem);
			const incidents = (unlessStorageFails(database.incidents.all) ?? []).map(({what}) => what);
			const newest = incidents.findLast(what => !reported.has(what));
			for (const what of incidents) reported.add(what);
			if (newest !== undefined) report(`${newest} ${incidentAdvice(incidents.length - 1)}`);
		};
		reportNew();
		database.onChange(reportNew);
		return database;
	}
}

function noService(): never {
	throw new ConfigError(
		`no service is set up: run ${ownProgram.replace(/ --$/, '')} to connect one, set QUARTERDECK_BASE_URL and QUARTERDECK_API_KEY, or use --local`,
	);
}

/** A value that is loaded once. A failure is forgotten: the next call tries again. */
class Once<T> {
	/** Set by the first call. */
	promise: Promise<T> | undefined;
	readonly #load: () => Promise<T>;

	constructor(load: () => Promise<T>) {
		this.#load = load;
	}

	get(): Promise<T> {
		this.promise ??= this.#load().catch(error => {
			this.promise = undefined;
			throw error;
		});
		return this.promise;
	}
}

/** `earlier`: the number of incidents not printed in this line. */
function incidentAdvice(earlier: number): string {
	const others =
		earlier === 0 ? '' : `And ${earlier} earlier ${earlier === 1 ? 'one' : 'ones'}: ${ownProgram} doctor. `;
	return `${others}${ownProgram} doctor --acknowledge clears this message.`;
}
