import {promisify} from 'node:util';
import {brotliDecompress, gunzip, inflate} from 'node:zlib';
import type {Dispatcher} from 'undici';
import type {Secret} from '../../config/secret.ts';
import {parseJson} from '../../domain/parse-json.ts';
import {AbortError, LostResponseError, MalformedError, UnreachableError} from '../errors.ts';
import {runSliced} from '../run-sliced.ts';
import {connectTimeout, createHttpAgents, type HttpAgents, type Route} from './http-agents.ts';
import type {Mask} from './mask.ts';
import type {Timing} from './timing.ts';
import {cleanCause, describeTransport, isBug} from './transport-problem.ts';

export type HttpRequest = {
	readonly method: 'GET' | 'POST' | 'PATCH';
	/** Path and query, from the first slash. */
	readonly path: string;
	/** JSON. If absent, no Content-Type is sent either. */
	readonly body?: Buffer;
	readonly idempotencyKey?: string;
};

/** A complete response, or as much as arrived of an error response. The body is still encoded. */
export type HttpResponse = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: Buffer;
};

/** Maximum bytes read of an error's body. */
export const maxErrorContent = 64 * 1024;

/** Where to send requests. `displayName` names it in errors; the key is masked in it. */
type TransportTarget = Route & {readonly displayName: string};

/**
 * The transport to one origin. The key is sent nowhere else: redirects aren't followed, and a path can't name
 * a host.
 */
export class Transport {
	readonly #target: TransportTarget;
	readonly #key: Secret;
	readonly #mask: Mask;
	readonly #timing: Timing;
	#agents: Promise<HttpAgents> | undefined;
	#isClosed = false;

	constructor(target: TransportTarget, key: Secret, mask: Mask, timing: Timing) {
		this.#target = target;
		this.#key = key;
		this.#mask = mask;
		this.#timing = timing;
	}

	/**
	 * Sends one request, without retries. `timeout` is wall time in ms for everything from DNS to the last
	 * byte of the body. Throws `UnreachableError`, `LostResponseError`, `AbortError`, `MalformedError` (a
	 * response over 8 MiB).
	 */
	async send(
		{method, path, body, idempotencyKey}: HttpRequest,
		timeout: number,
		signal?: AbortSignal,
	): Promise<HttpResponse> {
		if (this.#isClosed) throw new UnreachableError('The service client is closed.', {hint: 'Start again.'});
		const {origin, displayName} = this.#target;
		this.#agents ??= createHttpAgents(this.#target);
		const {fresh, reused} = await this.#agents;
		const options = {
			origin: origin.origin,
			method,
			path,
			headers: {
				accept: 'application/json',
				'accept-encoding': acceptedEncodings,
				authorization: `Bearer ${this.#key.reveal()}`,
				'user-agent': 'quarterdeck',
				...(idempotencyKey !== undefined && {'idempotency-key': idempotencyKey}),
				...(body && {'content-type': 'application/json', 'content-length': `${body.length}`}),
			},
			body: body ?? null,
			// Both limit only gaps, so a slow drip passes; `timeout` covers the whole exchange.
			headersTimeout: 0,
			bodyTimeout: 0,
		} satisfies Dispatcher.DispatchOptions;
		const dispatcher = method === 'POST' ? fresh : reused;
		const parts = {timeout, mask: this.#mask, timing: this.#timing, signal, displayName};
		return exchange(dispatcher, options, parts);
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		const agents = await this.#agents;
		await Promise.all([agents?.reused.close(), agents?.fresh.close()]);
	}
}

type ExchangeOptions = {
	readonly timeout: number;
	readonly mask: Mask;
	readonly timing: Timing;
	readonly signal: AbortSignal | undefined;
	readonly displayName: string;
};

/**
 * Sends one request and receives its response. `isSent` matters most: undici calls `onRequestStart` just before it
 * writes the first byte, so a failure before that certainly didn't reach the service, and a later one may have.
 */
function exchange(
	dispatcher: Dispatcher,
	options: Dispatcher.DispatchOptions,
	{timeout, mask, timing, signal, displayName}: ExchangeOptions,
): Promise<HttpResponse> {
	return new Promise((resolve, reject) => {
		let isSent = false;
		let isOver = false;
		let controller: Dispatcher.DispatchController | undefined;
		let head: Omit<HttpResponse, 'body'> | undefined;
		const received = new BodyBuffer();

		const end = (settle: () => void) => {
			if (isOver) return;
			isOver = true;
			cancelDeadline();
			cancelConnecting();
			signal?.removeEventListener('abort', abort);
			settle();
		};
		const abortRequest = () => controller?.abort(new Error('ended'));
		const fail = (error: Error) => end(() => reject(error));
		const succeed = () => end(() => head && resolve({...head, body: received.content()}));
		/** An error response counts even if the rest of its body never arrives. */
		const isErrorResponse = () => head !== undefined && head.status >= 300;
		const onConnectionLost = (what: string, hint: string, cause?: unknown) => {
			if (isErrorResponse()) return succeed();
			const details = {hint, cause};
			if (!isSent)
				return fail(
					new UnreachableError(`The service can't be reached at ${displayName}: ${what}.`, details),
				);
			fail(new LostResponseError(`The service's response was lost: ${what}.`, details));
		};
		const onError = (error: unknown) => {
			const cause = cleanCause(error, mask);
			if (isBug(error)) return fail(cause);
			const {what, hint} = describeTransport(error);
			onConnectionLost(what, hint, cause);
		};
		const abort = () => {
			fail(new AbortError(isSent));
			abortRequest();
		};
		const expire = () => {
			onConnectionLost(`no complete response within ${Math.round(timeout / 1000)} s`, 'Try again later.');
			abortRequest();
		};
		const giveUpConnecting = () => {
			if (!isSent)
				onConnectionLost(
					`no connection within ${connectTimeout / 1000} s`,
					'Check the network and the address.',
				);
		};

		const cancelDeadline = timing.after(timeout, expire);
		const cancelConnecting = timing.after(connectTimeout, giveUpConnecting);
		if (signal?.aborted) return abort();
		signal?.addEventListener('abort', abort, {once: true});

		const handler: Dispatcher.DispatchHandler = {
			onRequestStart(started) {
				// The call ended while waiting for a connection, or undici is about to send it a second time.
				if (isOver || isSent) return started.abort(new Error('ended'));
				controller = started;
				isSent = true;
			},
			onResponseStart(_controller, status, headers) {
				head = {status, headers};
			},
			onResponseData(_controller, chunk) {
				if (isOver) return;
				received.add(chunk);
				if (isErrorResponse() && received.size > maxErrorContent) {
					succeed();
					abortRequest();
				} else if (received.size > maxContent) {
					fail(tooLarge());
					abortRequest();
				}
			},
			onResponseEnd: succeed,
			onResponseError: (_controller, error) => onError(error),
		};
		try {
			dispatcher.dispatch(options, handler);
		} catch (error) {
			onError(error);
		}
	});
}

/** Collects the chunks of a body in one growing buffer, so that a body arriving byte by byte takes no more memory. */
class BodyBuffer {
	size = 0;
	#store = Buffer.allocUnsafe(16 * 1024);

	add(chunk: Buffer): void {
		const size = this.size + chunk.length;
		if (size > this.#store.length) {
			const larger = Buffer.allocUnsafe(Math.max(this.#store.length * 2, size));
			this.#store.copy(larger, 0, 0, this.size);
			this.#store = larger;
		}
		chunk.copy(this.#store, this.size);
		this.size = size;
	}

	content(): Buffer {
		return this.#store.subarray(0, this.size);
	}
}

/** Maximum size of a decompressed response, bytes. Larger ones are rejected to bound memory. */
const maxContent = 8 * 1024 * 1024;

const acceptedEncodings = 'gzip, br';

const decoders = {
	gzip: promisify(gunzip),
	'x-gzip': promisify(gunzip),
	deflate: promisify(inflate),
	br: promisify(brotliDecompress),
} as const;

/** Decodes a Content-Encoding. Stops at `maxContent`, so that a compression bomb can't fill memory. Throws `MalformedError`. */
export async function decodeContent(body: Buffer, encoding: unknown): Promise<Buffer> {
	const name = typeof encoding === 'string' ? encoding.trim().toLowerCase() : '';
	if (name === '' || name === 'identity') return body;
	if (!isKnown(name)) throw undecodable('a content encoding that was not asked for');
	try {
		return await decoders[name](body, {maxOutputLength: maxContent});
	} catch (error) {
		throw error instanceof RangeError ? tooLarge() : undecodable(`broken ${name} content`);
	}
}

/** Parses decoded content as JSON, in slices. `now` is in ms. Throws `MalformedError`. */
export async function parseContent(content: Buffer, now: () => number): Promise<unknown> {
	const parsed = await runSliced(parseJson(content), now);
	if ('value' in parsed) return parsed.value;
	throw new MalformedError(
		parsed.isJson
			? `The service's response can't be read: ${parsed.why}.`
			: `The service responded with ${parsed.why} instead of the expected JSON.`,
		{reason: 'not-json', hint: parsed.isJson ? 'Try again later.' : 'Check the address.'},
	);
}

function undecodable(why: string): MalformedError {
	return new MalformedError(`The service responded with ${why}.`, {
		reason: 'encoding',
		hint: 'Check the address and any proxy in between.',
	});
}

/** The error for a response over the size limit, before or after decoding. */
function tooLarge(): MalformedError {
	return new MalformedError("The service's response is over 8 MiB.", {
		reason: 'too-large',
		hint: 'Ask for fewer items at once.',
	});
}

function isKnown(name: string): name is keyof typeof decoders {
	return Object.hasOwn(decoders, name);
}
