import {machineOffer} from '../domain/computers/computer.ts';
import {agentOffer} from '../domain/sessions/agent-request.ts';
import {workFolderOffer} from '../domain/sessions/work-folder.ts';
import {type Call, type Client, hasOffer} from './client.ts';
import {isServiceError, RejectedError, UnauthorizedError, UnreachableError} from './errors.ts';
import type {SessionDefaults} from './sessions.ts';

/** All resources, one file each. A resource is loaded by its first call: its schemas take time to build. */
const resources = {
	computers: async () => (await import('./computers.ts')).createComputers,
	sessions: async () => (await import('./sessions.ts')).createSessions,
	messages: async () => (await import('./messages.ts')).createMessages,
	users: async () => (await import('./users.ts')).createUsers,
	controls: async () => (await import('./controls.ts')).createControls,
	readiness: async () => (await import('./readiness.ts')).createReadiness,
	agentRequests: async () => (await import('./agent-requests.ts')).createAgentRequests,
	workFolders: async () => (await import('./work-folders.ts')).createWorkFolders,
	runningService: async () => (await import('./running-service.ts')).createRunningService,
	analytics: async () => (await import('./analytics.ts')).createAnalytics,
};

type Resources = typeof resources;

/**
 * The whole service interface, one function per endpoint. Strict about requests (throws `ValidationError`
 * before sending anything), lenient about responses. Throws the error classes of `errors.ts`.
 */
export type Service = {
	readonly [Name in keyof Resources]: ReturnType<Awaited<ReturnType<Resources[Name]>>>;
} & Pick<Client, 'close'>;

export function createService(client: Client, defaults: SessionDefaults = {}): Service {
	const parts = Object.entries(resources).map(([name, load]) => [name, lazyResource(load, client, defaults)]);
	return {...Object.fromEntries(parts), close: () => client.close()};
}

type Functions = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** A resource that is loaded by its first call. Its functions are asynchronous, and none is named `then`. */
function lazyResource(
	load: () => Promise<(client: Client, defaults: SessionDefaults) => object>,
	client: Client,
	defaults: SessionDefaults,
): Functions {
	let resource: Functions | undefined;
	const callOf =
		(name: string) =>
		async (...args: readonly unknown[]) => {
			const create = await load();
			resource ??= create(client, defaults) as Functions;
			return resource[name]?.(...args);
		};
	return new Proxy<Functions>(
		{},
		{get: (_, name) => (typeof name === 'string' && name !== 'then' ? callOf(name) : undefined)},
	);
}

const hints: Readonly<Record<string, string>> = {
	[agentOffer]: 'Only sessions of the embedded service (--local) have agents that can be answered.',
	[workFolderOffer]: 'Only the embedded service (--local) knows the folders that its sessions work in.',
	[machineOffer]: 'Only the embedded service (--local) connects to other machines.',
};

/**
 * A client that opens another one on its first call, so that the screen is drawn before that is loaded. If it
 * `renews`, it opens a new one when the service is gone or another one, with another key, is in its place, and repeats the
 * call once: that is safe, because the request was certainly not accepted. `offers` is called once it is open.
 */
export class Connection implements Client {
	readonly offers: Client['offers'];
	readonly #open: () => Promise<Client>;
	readonly #renews: boolean;
	readonly #opened: Client[] = [];
	#current: Promise<Client> | undefined;
	#isClosed = false;

	constructor(
		open: () => Promise<Client>,
		{renews = false, offers}: {renews?: boolean; offers?: () => readonly string[]} = {},
	) {
		this.#open = open;
		this.#renews = renews;
		this.offers = offers && (() => this.reach().then(offers));
	}

	/** Opens the client, unless it is open. Throws what opening it throws; the next call tries again. */
	connect(): Promise<Client> {
		this.#current ??= this.#openNext().catch(error => {
			this.#current = undefined;
			throw error;
		});
		return this.#current;
	}

	/** Connects. If that fails, throws a `ServiceError` with the cause's message, as every call does. */
	async reach(): Promise<Client> {
		try {
			return await this.connect();
		} catch (error) {
			if (isServiceError(error) || !(error instanceof Error)) throw error;
			throw new UnreachableError(error.message, {hint: 'Nothing was sent.', cause: error});
		}
	}

	async call<T>(call: Call<T>): Promise<T> {
		const {offer} = call;
		if (offer !== undefined && (await hasOffer(this, offer)) === false)
			throw new RejectedError("This service can't do that.", {hint: hints[offer] ?? ''});
		const client = await this.reach();
		const used = this.#current;
		try {
			return await client.call(call);
		} catch (error) {
			const isReplaced = error instanceof UnreachableError || error instanceof UnauthorizedError;
			if (!this.#renews || !isReplaced) throw error;
			// Calls that fail together renew once.
			if (this.#current === used) this.#current = undefined;
			return (await this.reach()).call(call);
		}
	}

	now(): number {
		return this.#opened.at(-1)?.now() ?? Date.now();
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await this.#current?.catch(() => undefined);
		await Promise.all(this.#opened.splice(0).map(client => client.close()));
	}

	async #openNext(): Promise<Client> {
		if (this.#isClosed)
			throw new UnreachableError('The service has stopped.', {hint: 'Quarterdeck is closing.'});
		const client = await this.#open();
		this.#opened.push(client);
		return client;
	}
}
