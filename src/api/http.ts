import type {Readable} from 'node:stream';
import type {Dispatcher} from 'undici';
import type {ServiceSocket} from '../config/config.ts';
import type {Secret} from '../config/secret.ts';
import {type Agents, connectTimeout, createAgents} from './agents.ts';
import {acceptedEncodings, maxContent} from './content.ts';
import {AbortError, LostAnswerError, MalformedError, UnreachableError} from './errors.ts';
import type {Mask} from './mask.ts';
import type {Timing} from './timing.ts';

/** Why there was no response, in one line, and what to do next. */
export type TransportProblem = {readonly what: string; readonly hint: string};

const tryLater = 'Check the network and try again.';

const problems: Readonly<Record<string, TransportProblem>> = {
	ECONNREFUSED: {
		what: 'the connection was refused',
		hint: 'Check the address and port, and that the service is running.',
	},
	ENOENT: {what: 'its socket is gone', hint: tryLater},
	UNTRUSTED_SOCKET: {
		what: "its socket is gone or isn't yours alone",
		hint: 'Run quarterdeck doctor.',
	},
	ENOTFOUND: {what: 'there is no such host', hint: 'Check the address, or the network and its DNS.'},
	EAI_AGAIN: {what: 'the host name could not be looked up', hint: 'Check the network and its DNS.'},
	ENETUNREACH: {what: 'the network is unreachable', hint: tryLater},
	EHOSTUNREACH: {what: 'the host is unreachable', hint: tryLater},
	ECONNRESET: {what: 'the connection was reset', hint: tryLater},
	EPIPE: {what: 'the connection was closed', hint: tryLater},
	UND_ERR_SOCKET: {what: 'the connection was closed', hint: tryLater},
	UND_ERR_CONNECT_TIMEOUT: {what: 'no connection within 5 s', hint: tryLater},
	UND_ERR_PRX_CONN: {what: 'the proxy closed the connection', hint: 'Check the proxy settings.'},
	UND_ERR_PRX_TLS: {what: "the proxy's certificate is not trusted", hint: 'Check the proxy settings.'},
	UND_ERR_ABORTED: {what: 'the proxy refused the connection', hint: 'Check the proxy settings.'},
	UND_ERR_HEADERS_OVERFLOW: {what: 'the response headers were too long', hint: 'Check the address.'},
};

function describeTransport(error: unknown): TransportProblem {
	const code = codeOf(error);
	const known = Object.hasOwn(problems, code) ? problems[code] : undefined;
	if (known) return known;
	if (/CERT|SSL|TLS|SELF_SIGNED|ISSUER|UNABLE_TO_(VERIFY|GET)/.test(code)) {
		return {
			what: `a secure connection could not be made (${code})`,
			hint: 'Check the address; to trust your own certificate authority set NODE_EXTRA_CA_CERTS.',
		};
	}
	if (/^HPE_/.test(code)) return {what: 'the response is not HTTP', hint: 'Check the address.'};
	return {what: code === '' ? 'the connection failed' : `the connection failed (${code})`, hint: tryLater};
}

/**
 * Copies a transport error to keep as a cause: its name, code and masked message. The original may contain
 * bytes of the response, which may repeat the key.
 */
function cleanCause(error: unknown, mask: Mask): Error {
	const original = error instanceof Error ? error : new Error('not an error');
	const copy = new Error(mask(original.message).slice(0, 500));
	const code = codeOf(error);
	return Object.assign(copy, {name: original.name, ...(code !== '' && {code})});
}

function codeOf(error: unknown): string {
	const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
	return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : '';
}

export type HttpRequest = {
	readonly method: 'GET' | 'POST' | 'PATCH';
	/** Path and query, from the first slash. */
	readonly path: string;
	/** JSON. If absent, no Content-Type is sent either. */
	readonly body?: Buffer;
};

/** A complete response, or as much as arrived of an error response. The body is still encoded. */
export type HttpAnswer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: Buffer;
	/** It came before the request was completely written, so the service can't have read it. */
	readonly isEarly: boolean;
};

/**
 * The transport to one origin. The key is sent nowhere else: redirects aren't followed, and a path can't name
 * a host.
 */
export type Wire = {
	/**
	 * Sends one request, without retries. `timeout` is wall time in ms for everything from DNS to the last
	 * byte of the body. Throws `UnreachableError`, `LostAnswerError`, `AbortError`, `MalformedError` (a
	 * response over 8 MiB).
	 */
	send(request: HttpRequest, timeout: number, signal?: AbortSignal): Promise<HttpAnswer>;
	close(): Promise<void>;
};

/** Maximum bytes read of an error's body. */
export const maxErrorContent = 64 * 1024;

/** The target of a wire. `shown` names it in errors. */
export type WireTarget = {readonly origin: URL; readonly shown: string; readonly socket?: ServiceSocket};

/** Bytes of a body written at a time. */
const partLength = 64 * 1024;

export function createWire(target: WireTarget, key: Secret, mask: Mask, timing: Timing): Wire {
	let agents: Agents | undefined;
	let isClosed = false;
	return {
		async send(request, timeout, signal) {
			if (isClosed) {
				throw new UnreachableError('The service client is closed.', {hint: 'Start again.'});
			}
			agents ??= createAgents(target.origin, target.socket);
			const {method, path, body} = request;
			// A short body is written in one piece.
			const sending = body && body.length > partLength ? new Sending(body) : undefined;
			const options = {
				origin: target.origin.origin,
				method,
				path,
				headers: {
					accept: 'application/json',
					'accept-encoding': acceptedEncodings,
					authorization: `Bearer ${key.reveal()}`,
					'user-agent': 'quarterdeck',
					...(body && {'content-type': 'application/json', 'content-length': `${body.length}`}),
				},
				// undici accepts any async iterable, though its types don't say so.
				body: (sending as unknown as Readable) ?? body ?? null,
				// Both limit only gaps, so a slow drip passes; `timeout` covers the whole exchange.
				headersTimeout: 0,
				bodyTimeout: 0,
			} satisfies Dispatcher.DispatchOptions;
			const dispatcher = method === 'POST' ? agents.fresh : agents.kept;
			const answer = await exchange(dispatcher, options, {
				timeout,
				mask,
				timing,
				signal,
				shown: target.shown,
			});
			return {...answer, isEarly: sending !== undefined && !sending.isDone};
		},
		async close() {
			isClosed = true;
			await Promise.all([agents?.kept.close(), agents?.fresh.close()]);
		},
	};
}

type ExchangeParts = {
	readonly timeout: number;
	readonly mask: Mask;
	readonly timing: Timing;
	readonly signal: AbortSignal | undefined;
	/** The service's address for errors, masked. */
	readonly shown: string;
};

/**
 * A body that tracks whether it was written completely: undici requests a part after writing the previous
 * one.
 */
class Sending implements AsyncIterable<Buffer> {
	isDone = false;
	readonly #body: Buffer;

	constructor(body: Buffer) {
		this.#body = body;
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
		for (let from = 0; from < this.#body.length; from += partLength)
			yield this.#body.subarray(from, from + partLength);
		this.isDone = true;
	}
}

/**
 * Performs one exchange. `isSent` matters most: undici calls `onRequestStart` just before it writes the first
 * byte, so a failure before that certainly didn't reach the service, and a later one may have.
 */
function exchange(
	dispatcher: Dispatcher,
	options: Dispatcher.DispatchOptions,
	{timeout, mask, timing, signal, shown}: ExchangeParts,
): Promise<Omit<HttpAnswer, 'isEarly'>> {
	return new Promise((resolve, reject) => {
		let isSent = false;
		let isOver = false;
		let controller: Dispatcher.DispatchController | undefined;
		let head: Omit<HttpAnswer, 'body' | 'isEarly'> | undefined;
		const sink = createBodyBuffer();

		const end = (settle: () => void) => {
			if (isOver) return;
			isOver = true;
			cancelDeadline();
			cancelConnecting();
			signal?.removeEventListener('abort', abort);
			settle();
		};
		const cut = () => controller?.abort(new Error('ended'));
		const fail = (error: Error) => end(() => reject(error));
		const succeed = () => end(() => head && resolve({...head, body: sink.content()}));
		/** An error response counts even if the rest of its body never arrives. */
		const isRefusal = () => head !== undefined && head.status >= 300;
		const lose = (what: string, hint: string, cause?: unknown) => {
			if (isRefusal()) return succeed();
			const facts = {hint, ...(cause !== undefined && {cause})};
			if (!isSent) {
				return fail(new UnreachableError(`The service can't be reached at ${shown}: ${what}.`, facts));
			}
			fail(new LostAnswerError(`The service's response was lost: ${what}.`, facts));
		};
		const abort = () => {
			fail(new AbortError(isSent));
			cut();
		};
		const expire = () => {
			lose(`no complete response within ${Math.round(timeout / 1000)} s`, 'Try again later.');
			cut();
		};
		const giveUpConnecting = () => {
			if (!isSent)
				lose(`no connection within ${connectTimeout / 1000} s`, 'Check the network and the address.');
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
				sink.add(chunk);
				if (isRefusal() && sink.size > maxErrorContent) {
					succeed();
					cut();
				} else if (sink.size > maxContent) {
					fail(tooLarge());
					cut();
				}
			},
			onResponseEnd: succeed,
			onResponseError(_controller, error) {
				const {what, hint} = describeTransport(error);
				lose(what, hint, cleanCause(error, mask));
			},
		};
		try {
			dispatcher.dispatch(options, handler);
		} catch (error) {
			const {what, hint} = describeTransport(error);
			lose(what, hint, cleanCause(error, mask));
		}
	});
}

/** The error for a response over the size limit, before or after decoding. */
export function tooLarge(): MalformedError {
	return new MalformedError("The service's response is over 8 MiB.", {
		reason: 'too-large',
		hint: 'Ask for fewer items at once.',
	});
}

/**
 * Collects the chunks of a body in one growing buffer, so that a body arriving byte by byte takes no more
 * memory.
 */
export type BodyBuffer = {
	readonly size: number;
	add(chunk: Buffer): void;
	content(): Buffer;
};

function createBodyBuffer(): BodyBuffer {
	let store = Buffer.allocUnsafe(16 * 1024);
	let size = 0;
	return {
		get size() {
			return size;
		},
		add(chunk) {
			if (size + chunk.length > store.length) {
				const larger = Buffer.allocUnsafe(Math.max(store.length * 2, size + chunk.length));
				store.copy(larger, 0, 0, size);
				store = larger;
			}
			chunk.copy(store, size);
			size += chunk.length;
		},
		content: () => store.subarray(0, size),
	};
}
