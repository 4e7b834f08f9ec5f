import {backoff} from '../domain/backoff.ts';
import type {Decoded} from './content.ts';
import {idOf, readErrorBody} from './error-body.ts';
import {
	type ErrorDetails,
	ForbiddenError,
	NotFoundError,
	RateLimitedError,
	RedirectError,
	RejectedError,
	ServerError,
	type ServiceError,
	UnauthorizedError,
} from './errors.ts';
import {type HttpAnswer, maxErrorContent} from './http.ts';
import type {Mask} from './mask.ts';
import {readRetryAfter} from './retry-after.ts';
import type {Timing} from './timing.ts';

/** Minimum wait, ms: a zero or expired Retry-After would make the client retry without a pause. */
const minWait = 1000;

type AnsweringHost = {
	readonly address: string;
	/** What to do when it rejects the key. */
	readonly keyAdvice?: string;
	readonly mask: Mask;
	readonly timing: Timing;
};

/**
 * Converts an unsuccessful response to an error with the service's message and request id, masked and on one
 * line.
 */
export function errorOfAnswer(
	{status, headers, isEarly}: HttpAnswer,
	decoded: Decoded,
	{address, keyAdvice = 'Set a valid API key and try again.', mask, timing}: AnsweringHost,
): ServiceError {
	const content = decoded.kind === 'content' ? decoded.content.subarray(0, maxErrorContent) : undefined;
	const {words, ...body} = readErrorBody(new TextDecoder().decode(content), mask);
	const requestId = body.requestId ?? idOf(headers['x-request-id'], mask);
	const retryAfter = readRetryAfter(headers['retry-after'], timing.now(), headers.date);
	const said = words === undefined ? '' : `: ${words.replace(statusPhrase, '').replace(/[.\s]+$/, '')}`;
	const quoted = requestId === undefined ? '' : ` (request ${requestId})`;
	const say = (what: string) => `${what} (${status})${said}${quoted}.`;
	const facts = (hint: string): ErrorDetails => ({hint, status, ...(requestId !== undefined && {requestId})});
	if (status === 429 || (status === 503 && retryAfter !== undefined)) {
		const wait =
			retryAfter === undefined ? backoff(2, (timing.random ?? Math.random)()) : Math.max(minWait, retryAfter);
		return new RateLimitedError(say('The service is rate-limiting requests'), {
			...facts(`Try again in ${seconds(wait)}.`),
			retryAfter: wait,
		});
	}
	if (status >= 500 || status === 408) {
		return new ServerError(say('The service failed'), {...facts('Try again later.'), isEarly});
	}
	if (status === 401) {
		return new UnauthorizedError(say('The service refused the key'), facts(keyAdvice));
	}
	if (status === 402 || status === 403) {
		return new ForbiddenError(say('The key is not allowed to do this'), facts('Ask a manager or owner.'));
	}
	if (status === 404 || status === 410) {
		return new NotFoundError(say('Not found'), facts(`Check the id, and that the service is at ${address}.`));
	}
	if (status < 400) {
		return new RedirectError(
			say('The service redirects to another address; redirects are never followed'),
			facts("Set the base address to the service's own address."),
		);
	}
	return new RejectedError(say('The service refused the request'), facts('Fix it and try again.'));
}

/** A status phrase that begins the service's message: ours says the same. */
const statusPhrase =
	/^(?:bad request|unauthori[sz]ed|forbidden|not found|conflict|unprocessable (?:entity|content)|internal server error): /i;

function seconds(ms: number): string {
	return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}
