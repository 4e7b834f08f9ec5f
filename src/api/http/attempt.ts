import {embeddedServer} from '../../domain/own-program.ts';
import {hasUnreadable} from '../../domain/unreadable.ts';
import {log} from '../../log/log.ts';
import type {Call} from '../client.ts';
import {
	AbortError,
	isServiceError,
	LostResponseError,
	MalformedError,
	RateLimitedError,
	ValidationError,
} from '../errors.ts';
import type {Limiter, WaitUntil} from '../rate-limit.ts';
import {decodeContent, parseContent} from './content.ts';
import type {HttpRequest, HttpResponse, Transport} from './http.ts';
import type {Mask} from './mask.ts';
import {errorOfResponse} from './response-error.ts';
import type {Timing} from './timing.ts';

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
	/** The response is one object with parts that couldn't be read. */
	readonly hasUnreadable?: true;
	/** Whether the response is of an embedded service. */
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
		...(call.body !== undefined && {body: bodyOf(call.body)}),
		idempotencyKey: call.idempotencyKey,
	};

	let head: Pick<ResponseInfo, 'status' | 'skewMs' | 'isEmbedded'> = {};
	try {
		const response = await host.transport.send(request, timeout, call.signal);
		head = {
			status: response.status,
			...skewOf(response, timing.now()),
			isEmbedded: response.headers.server === embeddedServer,
		};
		const content = decodeContent(response.body, response.headers['content-encoding']);
		if (response.status < 200 || response.status >= 300)
			throw errorOfResponse(response, await content.catch(() => undefined), call, host);
		const value = await call.decode(await parseContent(await content, timing.now));
		host.limiter.succeed();
		const isPartial = hasUnreadable(Object(value));
		report({ok: true, ...head, ...(isPartial && {hasUnreadable: true})});
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

/** Adds an error and its causes to the debug log. */
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
function skewOf({headers}: HttpResponse, now: number): {skewMs?: number} {
	const date = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN;
	return Number.isFinite(date) ? {skewMs: date + 500 - now} : {};
}
