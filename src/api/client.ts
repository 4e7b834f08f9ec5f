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
