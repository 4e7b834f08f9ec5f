import {backoff} from '../../domain/backoff.ts';
import type {Call} from '../client.ts';
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
} from '../errors.ts';
import type {Decoded} from './content.ts';
import {idOf, readErrorBody} from './error-body.ts';
import {type HttpResponse, maxErrorContent} from './http.ts';
import type {Mask} from './mask.ts';
import type {Timing} from './timing.ts';

/** Maximum wait, ms: more than the reset of a daily quota is a mistake, and would hold every message for as long. */
const maxWait = 24 * 60 * 60 * 1000;

/**
 * Parses a Retry-After header, in seconds or as a date, to a wait in ms; undefined if it is missing or
 * invalid. A date is compared with the response's Date header, so that a wrong local clock doesn't shorten
 * the wait.
 */
export function readRetryAfter(header: unknown, now: number, dateHeader: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Math.min(maxWait, Math.ceil(Number(value) * 1000));
	// Date.parse alone would accept "5 apples" as a date.
	if (!/^[a-z]{3,9},? /i.test(value)) return undefined;
	const until = Date.parse(value);
	if (!Number.isFinite(until)) return undefined;
	const serverNow = typeof dateHeader === 'string' ? Date.parse(dateHeader) : Number.NaN;
	return Math.max(0, Math.min(maxWait, until - (Number.isFinite(serverNow) ? serverNow : now)));
}

/** Minimum wait, ms: a zero or expired Retry-After would make the client retry without a pause. */
const minWait = 1000;

type RespondingHost = {
	readonly address: string;
	/** The embedded service: its refusals are ours, and no log elsewhere has its request ids. */
	readonly isEmbedded?: boolean;
	/** What to do when it rejects the key. */
	readonly keyAdvice?: string;
	readonly mask: Mask;
	readonly timing: Timing;
};

/**
 * Converts an unsuccessful response to an error with the service's message and request id, masked and on one
 * line.
 */
export function errorOfResponse(
	{status, headers, isEarly}: HttpResponse,
	decoded: Decoded,
	call: Pick<Call<unknown>, 'resource' | 'path' | 'query' | 'isAddressCheck'>,
	{address, isEmbedded, keyAdvice = 'Set a valid API key and try again.', mask, timing}: RespondingHost,
): ServiceError {
	const content = decoded.kind === 'content' ? decoded.content.subarray(0, maxErrorContent) : undefined;
	const {message, ...body} = readErrorBody(new TextDecoder().decode(content), mask);
	const requestId = body.requestId ?? idOf(headers['x-request-id'], mask);
	const retryAfter = readRetryAfter(headers['retry-after'], timing.now(), headers.date);
	const own = (message ?? '').replace(statusPhrase, '').replace(/[.\s]+$/, '');
	const quote = own === '' ? '' : `: ${own}`;
	const request = requestId === undefined || isEmbedded ? '' : ` (request ${requestId})`;
	const sentence = (what: string) => `${what} (${status})${quote}${request}.`;
	const details = (hint: string): ErrorDetails => ({
		hint,
		status,
		...(requestId !== undefined && {requestId}),
	});
	if (status === 429 || (status === 503 && retryAfter !== undefined)) {
		const wait =
			retryAfter === undefined ? backoff(2, (timing.random ?? Math.random)()) : Math.max(minWait, retryAfter);
		return new RateLimitedError(sentence('The service is rate-limiting requests'), {
			...details(`Try again in ${seconds(wait)}.`),
			retryAfter: wait,
		});
	}
	if (status >= 500 || status === 408) {
		return new ServerError(sentence('The service failed'), {...details('Try again later.'), isEarly});
	}
	if (status === 401) {
		return new UnauthorizedError(sentence('The service refused the key'), details(keyAdvice));
	}
	if (status === 402)
		return new ForbiddenError(
			sentence('The service asks for payment'),
			details("Check the organization's plan and credits."),
		);
	if (status === 403) {
		// The contract names roles for analytics only.
		const isOfRole = call.resource.startsWith('analytics.') || /\b(?:managers?|owners?|roles?)\b/i.test(own);
		return new ForbiddenError(
			sentence('The key is not allowed to do this'),
			details(
				isOfRole ? 'Ask a manager or owner.' : 'Use a key that is, or ask whoever manages the service.',
			),
		);
	}
	if (status === 404 || status === 410) {
		const [what, hint] = call.isAddressCheck
			? [`${address} answers, but not as the service`, "Check the service's address."]
			: namesId.test(call.path) ||
					call.query?.sessionId !== undefined ||
					(call.resource === 'sessions.create' && own !== '')
				? ['Not found', `Check the id, and that the service is at ${address}.`]
				: ["This service doesn't offer this", `If it should, check its address: ${address}.`];
		return new NotFoundError(sentence(what), details(hint));
	}
	if (status < 400) {
		return new RedirectError(
			sentence('The service redirects to another address; redirects are never followed'),
			details("Set the base address to the service's own address."),
		);
	}
	if (isEmbedded && own !== '') return new RejectedError(`${own}.`, details(''));
	return new RejectedError(sentence('The service refused the request'), details('Fix it and try again.'));
}

/** A call about one computer or session, which the service may not have. */
const namesId = /\/(?:computers|sessions)\/[^/]/;

/** A status phrase that is or begins the service's message: ours says the same. */
const statusPhrase =
	/^(?:bad request|unauthori[sz]ed|forbidden|not found|conflict|unprocessable (?:entity|content)|internal server error)(?:: |[.\s]*$)/i;

function seconds(ms: number): string {
	return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}
