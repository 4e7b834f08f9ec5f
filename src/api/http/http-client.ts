import {parseAddress, proxyFor, shownProxy} from '../../config/address.ts';
import type {ServiceAddress} from '../../config/config.ts';
import {backoff} from '../../domain/backoff.ts';
import {systemClock} from '../../domain/clock.ts';
import {embeddedServer} from '../../domain/running-service.ts';
import {log} from '../../log/log.ts';
import type {Call, Client} from '../client.ts';
import {
	AbortError,
	isServiceError,
	LostResponseError,
	MalformedError,
	outcomeOf,
	RateLimitedError,
	ServerError,
	UnreachableError,
	ValidationError,
} from '../errors.ts';
import {Limiter, retryAfterLimit, type WaitUntil} from '../rate-limit.ts';
import {createService, type Service} from '../service.ts';
import {decodeContent, type HttpRequest, type HttpResponse, parseContent, Transport} from './http.ts';
import {refuseUncheckedTls} from './http-agents.ts';
import {createMask, type Mask} from './mask.ts';
import {errorOfResponse} from './response-error.ts';
import {delay, type Timing} from './timing.ts';

/**
 * What one response, or its absence, says about the connection, for the header and diagnostics. Contains no
 * address or id.
 */
export type ResponseInfo = {
	/** The endpoint's name, such as `messages.list`. */
	readonly resource: string;
	/** The call succeeded and its response matched the contract. */
	readonly ok: boolean;
	/** Wall time, ms. */
	readonly latency: number;
	readonly status?: number;
	/** The service's clock minus ours, ms, from the Date header. */
	readonly skewMs?: number;
	readonly isEmbedded?: boolean;
	/** 429 and 503: nothing will be sent there before this time (Unix ms). */
	readonly waitUntil?: WaitUntil;
	/** Why `ok` is false: one of `errors.ts`. */
	readonly error?: unknown;
};

/** One of the service's two hosts, with the state all calls to it share. */
export type Host = {
	readonly transport: Transport;
	readonly limiter: Limiter;
	/** Path of the address without a trailing slash; often empty. */
	readonly basePath: string;
	/** The whole address for display: it has no credentials, and the key is masked. */
	readonly address: string;
	readonly isEmbedded: boolean;
	/** What to do when the service rejects the key. */
	readonly keyAdvice?: string;
	readonly mask: Mask;
	readonly timing: Timing;
	readonly onResponse: (info: ResponseInfo) => void;
};

type HttpServiceOptions = {
	readonly address: ServiceAddress;
	/** Clock for deadlines, waits and limits; the system's when absent. */
	readonly clock?: Timing;
	/** Called for every response, and for every try without one. Must not throw. */
	readonly onResponse?: (info: ResponseInfo) => void;
	/** Retries per call, where its policy allows them; 3 when absent. Use fewer for calls a user waits for. */
	readonly retries?: number;
};

/** The service over a client of its own. Throws what `createHttpClient` throws. */
export function createHttpService(options: HttpServiceOptions): Service {
	return createService(createHttpClient(options));
}

/**
 * Creates the HTTP client of the service. Loads undici and zod: import it lazily, after the first frame.
 * Throws `ConfigError` for an invalid address or http to another machine, and `ValidationError` for a key
 * that can't be sent or if certificate checks are off.
 */
export function createHttpClient({
	address,
	clock: timing = systemClock,
	onResponse,
	retries,
}: HttpServiceOptions): Client {
	const {key} = address;
	if (!/^[\x21-\x7e]+$/.test(key.reveal())) {
		throw new ValidationError('key', 'is empty or contains characters that no API key has', {
			hint: 'Copy the API key again.',
		});
	}
	const mask = createMask(key);
	const limiters = new Map<string, Limiter>();
	let skew = 0;
	const shared = {
		mask,
		timing,
		keyAdvice: address.keyAdvice && mask(address.keyAdvice),
		onResponse(info: ResponseInfo) {
			skew = info.skewMs ?? skew;
			onResponse?.(info);
		},
	};

	function hostOf(text: string, name: string, role: keyof WaitUntil): Host {
		const url = new URL(parseAddress(text, name));
		if (url.protocol === 'https:') refuseUncheckedTls();
		const limiter = limiters.get(url.origin) ?? new Limiter();
		limiters.set(url.origin, limiter);
		limiter.addresses.add(role);
		const basePath = url.pathname.replace(/\/$/, '');
		const {socket} = address;
		const proxy = socket ? undefined : proxyFor(url, process.env);
		const through = proxy ? ` through the proxy ${shownProxy(proxy)}` : '';
		const displayName = mask(socket?.path ?? url.origin + through);
		const target = {origin: url, displayName, proxy: proxy?.url, socket};
		return {
			...shared,
			limiter,
			basePath,
			address: mask(socket?.path ?? url.origin + basePath),
			isEmbedded: socket !== undefined,
			transport: new Transport(target, key, mask, timing),
		};
	}

	const base = hostOf(address.baseUrl, 'The base address', 'base');
	const app = hostOf(address.appUrl, 'The app address', 'app');
	return {
		call: call => makeCall(call.host === 'app' ? app : base, call, retries),
		now: () => timing.now() + skew,
		async close() {
			await Promise.all([base.transport.close(), app.transport.close()]);
		},
	};
}

/**
 * When the client may retry a call by itself.
 * `read`: whenever a retry may help; for idempotent calls (GET and PATCH).
 * `post`: only if the call was certainly not accepted.
 * `once`: never; the outbox decides.
 */
export type RetryPolicy = 'read' | 'post' | 'once';

const defaultRetries = 3;

/** Delay before the next try, ms; undefined if this error is not retried. `retry` counts from 0. */
export function retryDelay(
	error: unknown,
	policy: RetryPolicy,
	retry: number,
	chance: number,
	maxRetries = defaultRetries,
): number | undefined {
	if (policy === 'once' || retry >= maxRetries) return undefined;
	if (error instanceof RateLimitedError) return retryAfterLimit(error, chance);
	if (error instanceof UnreachableError) return backoff(retry + 1, chance);
	const mayHelp = error instanceof LostResponseError || error instanceof ServerError;
	return policy === 'read' && mayHelp ? backoff(retry + 1, chance) : undefined;
}

/** The usual time of a call with its retries and waits, ms, for reads and for writes. */
const readBudget = 60_000;
const writeBudget = 120_000;

/** Makes a call to its host, with the waits and retries it allows. Throws the errors of `errors.ts`. */
async function makeCall<T>(host: Host, call: Call<T>, retries = defaultRetries): Promise<T> {
	const {timing, limiter} = host;
	const {signal, timeout = call.method === 'GET' ? readBudget : writeBudget} = call;
	const policy = policyOf(call);
	// Counted down, not a point in time: the clock may be set, and jumps after the machine has slept.
	let left = timeout;
	/** The first failure after which the service may have applied the request. */
	let maybeApplied: unknown;
	/** The failure after which the call is tried again. */
	let retried: unknown;
	let wait = 0;
	for (let retry = 0; ; retry++) {
		try {
			if (wait > 0) await pause(wait, timing, signal);
			left -= wait;
			left -= await waitForTurn(host, policy, left, signal);
			const startedAt = timing.now();
			try {
				return await attempt(host, call, left);
			} finally {
				left -= Math.max(0, timing.now() - startedAt);
			}
		} catch (error) {
			if (call.method !== 'GET' && outcomeOf(error) === 'unknown') maybeApplied ??= error;
			if (error instanceof AbortError)
				throw new AbortError(error.isSent || maybeApplied !== undefined, retried);
			const chance = (timing.random ?? Math.random)();
			const next = retryDelay(error, policy, retry, chance, retries);
			if (next === undefined || next >= left || !limiter.takeRetry()) throw worseOf(error, maybeApplied);
			retried = error;
			wait = next;
		}
	}
}

function policyOf({method, isOnce}: Call<unknown>): RetryPolicy {
	if (isOnce) return 'once';
	return method === 'POST' ? 'post' : 'read';
}

/** "Not sent" and "wait" describe only the last try: if an earlier one may have been applied, report that one. */
function worseOf(error: unknown, maybeApplied: unknown): unknown {
	if (maybeApplied === undefined) return error;
	const outcome = outcomeOf(error);
	return outcome === 'not-sent' || outcome === 'wait' ? maybeApplied : error;
}

/**
 * Waits as long as the origin asked for, and returns how long, ms. Throws `RateLimitedError` if that is `left` or more,
 * or the policy is `once`.
 */
async function waitForTurn(
	{limiter, timing}: Host,
	policy: RetryPolicy,
	left: number,
	signal: AbortSignal | undefined,
): Promise<number> {
	let waited = 0;
	for (let wait = limiter.remainingWait(timing.now()); wait > 0; wait = limiter.remainingWait(timing.now())) {
		if (policy === 'once' || waited + wait >= left) {
			throw new RateLimitedError('The service is rate-limiting requests; nothing was sent.', {
				hint: `Try again in ${Math.ceil(wait / 1000)} s.`,
				retryAfter: wait,
			});
		}
		await pause(wait, timing, signal);
		waited += wait;
	}
	return waited;
}

/** Waits `ms`. Throws `AbortError` when the signal aborts. */
async function pause(ms: number, timing: Timing, signal: AbortSignal | undefined): Promise<void> {
	await delay(timing, ms, signal).catch(() => {
		throw new AbortError(false);
	});
}

/** Sends one request and decodes its response. `timeout` in ms. Throws the errors of `errors.ts`. */
export async function attempt<T>(host: Host, call: Call<T>, timeout: number): Promise<T> {
	const {timing} = host;
	const startedAt = timing.now();
	const report = (info: Omit<ResponseInfo, 'resource' | 'latency'>) => {
		const latency = timing.now() - startedAt;
		const {ok, status, error} = info;
		log(ok ? 'debug' : 'warn', 'request', {
			method: call.method,
			path: call.path + queryOf(call.query),
			status,
			ms: latency,
			error: error instanceof Error ? error.message : undefined,
		});
		host.onResponse({resource: call.resource, latency, ...info});
	};
	const request: HttpRequest = {
		method: call.method,
		path: host.basePath + call.path + queryOf(call.query),
		body: call.body === undefined ? undefined : bodyOf(call.body),
		idempotencyKey: call.idempotencyKey,
	};

	let head: Pick<ResponseInfo, 'status' | 'skewMs' | 'isEmbedded'> = {};
	try {
		const response = await host.transport.send(request, timeout, call.signal);
		head = {
			status: response.status,
			// A service on this machine has its clock.
			skewMs: host.isEmbedded ? 0 : skewOf(response, timing.now()),
			isEmbedded: response.headers.server === embeddedServer,
		};
		const content = decodeContent(response.body, response.headers['content-encoding']);
		if (response.status < 200 || response.status >= 300)
			throw errorOfResponse(response, await content.catch(() => undefined), call, host);
		const value = await call.decode(await parseContent(await content, timing.now));
		host.limiter.succeed();
		report({ok: true, ...head});
		return value;
	} catch (raw) {
		const error = toServiceError(raw, call.method, head.status);
		if (error instanceof RateLimitedError) {
			const since = timing.now();
			host.limiter.hold({since, until: since + error.retryAfter});
			report({ok: false, error, ...head, waitUntil: host.limiter.waitUntil(since)});
		} else if (head.status !== undefined || isConnectionError(error)) {
			report({ok: false, error, ...head});
		}
		logCauses(isServiceError(error) ? error.cause : error);
		throw error;
	}
}

/** A call that was canceled or failed validation says nothing about the connection. */
function isConnectionError(error: unknown): boolean {
	return isServiceError(error) && !(error instanceof ValidationError);
}

function logCauses(error: unknown): void {
	if (!(error instanceof Error) || error instanceof AbortError) return;
	const {name, message, stack} = error;
	log('warn', 'cause', {name, code: String('code' in error ? error.code : ''), message, stack});
	logCauses(error.cause);
}

/** A post whose response can't be read was probably accepted, so its outcome is unknown. */
function toServiceError(error: unknown, method: Call<unknown>['method'], status?: number): unknown {
	if (method !== 'POST' || !(error instanceof MalformedError)) return error;
	return new LostResponseError("The service accepted the request, but its response can't be read.", {
		hint: 'It may have taken effect: check before trying again.',
		cause: error,
		status,
	});
}

function bodyOf(body: unknown): Buffer {
	try {
		return Buffer.from(JSON.stringify(body));
	} catch (cause) {
		throw new ValidationError('body', "can't be written as JSON", {cause});
	}
}

function queryOf(query: Call<unknown>['query']): string {
	const pairs = Object.entries(query ?? {}).filter(pair => pair[1] !== undefined) as [string, string][];
	return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** The service's clock minus ours, ms. The Date header is truncated to whole seconds, so half a second is added. */
function skewOf({headers}: HttpResponse, now: number): number | undefined {
	const date = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN;
	return Number.isFinite(date) ? date + 500 - now : undefined;
}
