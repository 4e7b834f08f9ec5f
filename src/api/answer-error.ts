import {
	type ErrorFacts,
	ForbiddenError,
	NotFoundError,
	RateLimitedError,
	RedirectError,
	RejectedError,
	ServerError,
	type ServiceError,
	UnauthorisedError,
} from './errors.ts';

/** What is known of an answer that isn't a success. `words` are the service's own, one line, masked. */
export type Refusal = {
	readonly status: number;
	readonly words?: string;
	readonly requestId?: string;
	/** ms, from the Retry-After header. */
	readonly retryAfter?: number;
};

/** The error of a refusal (RELIABILITY, HTTP). `fallbackWait` (ms) is our own back-off for a 429 without Retry-After. */
export function errorOfRefusal(refusal: Refusal, fallbackWait: number): ServiceError {
	const {status, words, requestId, retryAfter} = refusal;
	const said = words === undefined ? '' : `: ${words.replace(/[.\s]+$/, '')}`;
	const say = (what: string) => `${what} (${status})${said}.`;
	const facts = (hint: string): ErrorFacts => ({hint, status, ...(requestId !== undefined && {requestId})});
	if (status === 429 || (status === 503 && retryAfter !== undefined)) {
		const wait = retryAfter ?? fallbackWait;
		return new RateLimitedError(say('The service asks to wait'), {
			...facts(`Try again in ${seconds(wait)}.`),
			retryAfter: wait,
		});
	}
	if (status >= 500 || status === 408) {
		return new ServerError(say('The service failed'), facts('Try again later.'));
	}
	if (status === 401) {
		return new UnauthorisedError(
			say('The service refused the key'),
			facts('Set a valid API key and try again.'),
		);
	}
	if (status === 402 || status === 403) {
		return new ForbiddenError(say('The key is not allowed to do this'), facts('Ask a manager or owner.'));
	}
	if (status === 404 || status === 410) {
		return new NotFoundError(say('Not found'), facts('Check the id and the address.'));
	}
	if (status < 400) {
		return new RedirectError(
			say('The service points to another address, which is never followed'),
			facts('Set the base address to where the service really is.'),
		);
	}
	return new RejectedError(say('The service refused the request'), facts('Change it and try again.'));
}

function seconds(ms: number): string {
	return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}
