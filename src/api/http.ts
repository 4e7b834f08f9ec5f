import type {Dispatcher} from 'undici';
import type {Secret} from '../config/secret.ts';
import {type Agents, connectTimeout, createAgents} from './agents.ts';
import {acceptedEncodings, maxContent} from './content.ts';
import {AbortError, LostAnswerError, MalformedError, UnreachableError} from './errors.ts';
import type {Mask} from './mask.ts';
import {createSink} from './sink.ts';
import type {Timing} from './timing.ts';
import {cleanCause, describeTransport} from './transport-error.ts';

export type HttpRequest = {
	readonly method: 'GET' | 'POST' | 'PATCH';
	/** Path and query, from the first slash. */
	readonly path: string;
	/** JSON. Without it no Content-Type is sent either. */
	readonly body?: Buffer;
};

/** A complete answer, or as much of an error's answer as came. The body is still encoded. */
export type HttpAnswer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: Buffer;
};

/** The wire to one origin. The key goes nowhere else: there are no redirects, and a path can't name a host. */
export type Wire = {
	/**
	 * Makes one request, once. `timeout` is wall time in ms for everything, first byte of DNS to last byte of body.
	 * Throws `UnreachableError`, `LostAnswerError`, `AbortError`, `MalformedError` (an answer over 8 MiB).
	 */
	send(request: HttpRequest, timeout: number, signal?: AbortSignal): Promise<HttpAnswer>;
	close(): Promise<void>;
};

/** How much of an error's body is read, bytes. */
export const maxErrorContent = 64 * 1024;

export function createWire(origin: URL, key: Secret, mask: Mask, timing: Timing): Wire {
	let agents: Agents | undefined;
	let isClosed = false;
	return {
		async send(request, timeout, signal) {
			if (isClosed) {
				throw new UnreachableError('The client of the service is closed.', {hint: 'Start again.'});
			}
			agents ??= createAgents(origin);
			const {method, path, body} = request;
			const options = {
				origin: origin.origin,
				method,
				path,
				headers: {
					accept: 'application/json',
					'accept-encoding': acceptedEncodings,
					authorization: `Bearer ${key.reveal()}`,
					'user-agent': 'quarterdeck',
					...(body && {'content-type': 'application/json'}),
				},
				body: body ?? null,
				// Both measure gaps, which a drip passes; the one deadline is ours.
				headersTimeout: 0,
				bodyTimeout: 0,
			} satisfies Dispatcher.DispatchOptions;
			return exchange(method === 'POST' ? agents.fresh : agents.kept, options, timeout, mask, timing, signal);
		},
		async close() {
			isClosed = true;
			await Promise.all([agents?.kept.close(), agents?.fresh.close()]);
		},
	};
}

/**
 * One request and its answer. What matters most is `isSent`: undici calls `onRequestStart` just before it writes the
 * first byte, so that everything before it surely didn't reach the service, and everything after it may have.
 */
function exchange(
	dispatcher: Dispatcher,
	options: Dispatcher.DispatchOptions & {readonly origin: string},
	timeout: number,
	mask: Mask,
	timing: Timing,
	signal?: AbortSignal,
): Promise<HttpAnswer> {
	return new Promise((resolve, reject) => {
		let isSent = false;
		let isOver = false;
		let controller: Dispatcher.DispatchController | undefined;
		let head: Omit<HttpAnswer, 'body'> | undefined;
		const sink = createSink();

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
		/** An answer that says no is an answer, even when the rest of its body never comes. */
		const isRefusal = () => head !== undefined && head.status >= 300;
		const lose = (what: string, hint: string, cause?: unknown) => {
			if (isRefusal()) return succeed();
			const facts = {hint, ...(cause !== undefined && {cause})};
			if (!isSent) {
				const where = mask(options.origin);
				return fail(new UnreachableError(`The service can't be reached at ${where}: ${what}.`, facts));
			}
			fail(new LostAnswerError(`The service's answer was lost: ${what}.`, facts));
		};
		const abort = () => {
			fail(new AbortError(isSent));
			cut();
		};
		const expire = () => {
			lose(`nothing complete within ${Math.round(timeout / 1000)} s`, 'Try again later.');
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
				// Given up while it waited for its connection, or about to be written a second time.
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

/** An answer over the limit, before or after decoding. */
export function tooLarge(): MalformedError {
	return new MalformedError("The service's answer is over 8 MiB.", {
		reason: 'too-large',
		hint: 'Ask for fewer items at once.',
	});
}
