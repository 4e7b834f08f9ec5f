import {unreachableProblem} from '../../domain/computers/machine-host.ts';
import type {Call} from '../client.ts';
import {
	ComputerUnreachableError,
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
import {askedWait} from '../rate-limit.ts';
import {idOf, readErrorBody} from './error-body.ts';
import {type HttpResponse, maxErrorContent} from './http.ts';
import type {Mask} from './mask.ts';
import type {Timing} from './timing.ts';

type RespondingHost = {
	readonly address: string;
	/** The embedded service: its refusals are ours, and no log elsewhere has its request ids. */
	readonly isEmbedded?: boolean;
	/** What to do when it rejects the key. */
	readonly keyAdvice?: string;
	readonly mask: Mask;
	readonly timing: Timing;
};

/** Converts an unsuccessful response to an error with the service's message and request id, masked and on one line. */
export function errorOfResponse(
	{status, headers, isEarly}: HttpResponse,
	content: Buffer | undefined,
	call: Call<unknown>,
	{address, isEmbedded, keyAdvice = 'Set a valid API key and try again.', mask, timing}: RespondingHost,
): ServiceError {
	const {message, ...body} = readErrorBody(
		new TextDecoder().decode(content?.subarray(0, maxErrorContent)),
		mask,
	);
	const requestId = body.requestId ?? idOf(headers['x-request-id'], mask);
	const wait = askedWait({status, headers}, timing);
	const own = (message ?? '').replace(statusPhrase, '').replace(/[.\s]+$/, '');
	const quote = own === '' ? '' : `: ${own}`;
	const request = requestId === undefined || isEmbedded ? '' : ` (request ${requestId})`;
	const sentence = (what: string) => `${what} (${status})${quote}${request}.`;
	const details = (hint: string): ErrorDetails => ({
		hint,
		status,
		requestId,
	});
	if (wait !== undefined) {
		return new RateLimitedError(sentence('The service is rate-limiting requests'), {
			...details(`Try again in ${seconds(wait)}.`),
			retryAfter: wait,
		});
	}
	if (status === 503 && body.type === unreachableProblem)
		return new ComputerUnreachableError(`${own}.`, details(''));
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
	/^(?:bad request|unreachable|unauthori[sz]ed|forbidden|not found|conflict|unprocessable (?:entity|content)|internal server error)(?:: |[.\s]*$)/i;

function seconds(ms: number): string {
	return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}
