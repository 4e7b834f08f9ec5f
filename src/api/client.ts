import {machineOffer} from '../domain/computers/machine-host.ts';
import {agentOffer} from '../domain/sessions/agent-request.ts';
import {workFolderOffer} from '../domain/sessions/work-folder.ts';
import {isServiceError, RejectedError, UnauthorizedError, UnreachableError} from './errors.ts';

/** Options of every call: aborting `signal` rejects it with `AbortError`. */
export type CallOptions = {
	readonly signal?: AbortSignal;
	/** The most that the call may take with its retries and waits, ms, if not the usual time. */
	readonly timeout?: number;
	/** Whether the answer helps decide that this is the service at all. */
	readonly isAddressCheck?: boolean;
};

export type Call<T> = CallOptions & {
	/** The endpoint's name, such as `messages.list`, for diagnostics; never an id or address. */
	readonly resource: string;
	/** `app` for readiness reports, which have their own host. */
	readonly host?: 'base' | 'app';
	readonly method: 'GET' | 'POST' | 'PATCH';
	readonly path: string;
	readonly query?: Readonly<Record<string, string | undefined>>;
	/** Sent as JSON; if absent, no body is sent. */
	readonly body?: unknown;
	/** Decodes the parsed response; throws `MalformedError`. Long responses are decoded in slices. */
	readonly decode: (response: unknown) => T | Promise<T>;
	/** Sent as `Idempotency-Key`: the service acts on requests with the same key once. */
	readonly idempotencyKey?: string;
	/** Makes a single attempt: the outbox decides on the next one. */
	readonly isOnce?: boolean;
	/** Beyond the contract: made only if the service has announced this. */
	readonly offer?: string | undefined;
};

export type Client = {
	/** Makes a call with the waits and retries it allows. Throws the errors of `errors.ts`. */
	call<T>(call: Call<T>): Promise<T>;
	/** The service's clock as far as it is known, Unix ms. */
	now(): number;
	/** Closes idle connections; running calls complete. */
	close(): Promise<void>;
	/** What the service has announced beyond the contract; absent if it isn't asked. */
	readonly offers?: (() => Promise<readonly string[]>) | undefined;
};

/** Whether the service has announced an offer; undefined if it isn't asked. */
export async function hasOffer({offers}: Client, name: string): Promise<boolean | undefined> {
	return offers && (await offers()).includes(name);
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
