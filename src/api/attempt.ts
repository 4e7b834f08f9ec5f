import {errorOfRefusal} from './answer-error.ts';
import {type Decoded, decodeContent} from './content.ts';
import {idOf, oneLine, readErrorBody} from './error-body.ts';
import {LostAnswerError, MalformedError, type ServiceError} from './errors.ts';
import type {ResponseFacts} from './facts.ts';
import {type HttpAnswer, type HttpRequest, tooLarge, type Wire} from './http.ts';
import {parseJson} from './json.ts';
import type {Limiter} from './limiter.ts';
import type {Mask} from './mask.ts';
import {backoff} from './retry.ts';
import {readRetryAfter} from './retry-after.ts';
import type {Timing} from './timing.ts';

/** One of the service's two addresses, with what all calls to it share. */
export type Host = {
	readonly wire: Wire;
	readonly limiter: Limiter;
	/** Path of the address, without a trailing slash: often empty. */
	readonly basePath: string;
	readonly mask: Mask;
	readonly timing: Timing;
	readonly onResponse: (facts: ResponseFacts) => void;
};

export type Attempt<T> = {
	/** What is called, such as `messages.list`: for diagnostics, never an id or an address. */
	readonly resource: string;
	readonly method: HttpRequest['method'];
	readonly path: string;
	readonly query?: Readonly<Record<string, string | undefined>>;
	/** Sent as JSON; left out, no body is sent. */
	readonly body?: unknown;
	/** Reads the parsed answer; throws `MalformedError`. */
	readonly decode: (answer: unknown) => T;
};

/** Makes one request and reads its answer. `timeout` in ms. Throws the errors of `errors.ts`. */
export async function attempt<T>(
	host: Host,
	call: Attempt<T>,
	timeout: number,
	signal?: AbortSignal,
): Promise<T> {
	const {timing} = host;
	const startedAt = timing.now();
	const report = (facts: Omit<ResponseFacts, 'resource' | 'latency'>) =>
		host.onResponse({resource: call.resource, latency: timing.now() - startedAt, ...facts});
	const request: HttpRequest = {
		method: call.method,
		path: host.basePath + call.path + queryOf(call.query),
		...(call.body !== undefined && {body: Buffer.from(JSON.stringify(call.body))}),
	};

	let answer: HttpAnswer;
	try {
		answer = await host.wire.send(request, timeout, signal);
	} catch (error) {
		report({ok: false, error});
		throw error;
	}
	const seen = {status: answer.status, ...skewOf(answer, timing.now())};
	const decoded = await decodeContent(answer.body, answer.headers['content-encoding']);

	if (answer.status < 200 || answer.status >= 300) {
		const error = refusalOf(host, answer, decoded);
		const retryAfter = 'retryAfter' in error ? Number(error.retryAfter) : undefined;
		if (retryAfter !== undefined) host.limiter.holdUntil(timing.now() + retryAfter);
		report({
			ok: false,
			error,
			...seen,
			...(retryAfter !== undefined && {retryAt: timing.now() + retryAfter}),
		});
		throw error;
	}
	try {
		const value = call.decode(contentOf(decoded));
		host.limiter.succeed();
		report({ok: true, ...seen});
		return value;
	} catch (error) {
		const told = call.method === 'GET' ? error : acceptedUnread(error, answer.status);
		report({ok: false, error: told, ...seen});
		throw told;
	}
}

function queryOf(query: Attempt<unknown>['query']): string {
	const pairs = Object.entries(query ?? {}).filter(pair => pair[1] !== undefined) as [string, string][];
	return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** The service's clock minus ours, ms. The header has whole seconds: half of one is added. */
function skewOf({headers}: HttpAnswer, now: number): {skewMs?: number} {
	const date = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN;
	return Number.isFinite(date) ? {skewMs: date + 500 - now} : {};
}

function refusalOf(host: Host, {status, headers}: HttpAnswer, decoded: Decoded): ServiceError {
	const text = decoded.kind === 'content' ? new TextDecoder().decode(decoded.content) : '';
	const {words, requestId = idOf(headers['x-request-id'])} = readErrorBody(host.mask(text));
	const retryAfter = readRetryAfter(headers['retry-after'], host.timing.now(), headers.date);
	return errorOfRefusal(
		{
			status,
			...(words !== undefined && {words: oneLine(host.mask(words))}),
			...(requestId !== undefined && {requestId: host.mask(requestId)}),
			...(retryAfter !== undefined && {retryAfter}),
		},
		backoff(1, (host.timing.random ?? Math.random)()),
	);
}

function contentOf(decoded: Decoded): unknown {
	if (decoded.kind === 'too-large') throw tooLarge();
	if (decoded.kind === 'undecodable') {
		throw new MalformedError(`The service answered with ${decoded.why}.`, {
			reason: 'encoding',
			hint: 'Check the address and any proxy on the way.',
		});
	}
	const parsed = parseJson(decoded.content);
	if ('value' in parsed) return parsed.value;
	throw new MalformedError(`The service answered with ${parsed.why} instead of the JSON of its contract.`, {
		reason: 'not-json',
		hint: 'Check the address.',
	});
}

/** A success without a readable body: what was asked for was most likely done, and we don't know its id. */
function acceptedUnread(error: unknown, status: number): unknown {
	if (!(error instanceof MalformedError)) return error;
	return new LostAnswerError(`The service said yes (${status}) but its answer can't be read.`, {
		hint: 'It may have been done: look before trying again.',
		cause: error,
		status,
	});
}
