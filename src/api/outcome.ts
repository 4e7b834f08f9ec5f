import {
	AbortError,
	ForbiddenError,
	NotFoundError,
	RateLimitedError,
	RedirectError,
	RejectedError,
	ServerError,
	UnauthorizedError,
	UnreachableError,
	ValidationError,
} from './errors.ts';

/**
 * What a failed call means for the change it was meant to make.
 * `not-sent`: certainly never reached the service; safe to repeat automatically.
 * `wait`: not accepted; repeat after `RateLimitedError.retryAfter`.
 * `held`: not accepted (401, 402, 403, 404), and won't be until something else changes.
 * `refused`: not accepted; the same values would be refused again.
 * `unknown`: it may have been accepted. Never repeat a post automatically.
 */
export type Outcome = 'not-sent' | 'wait' | 'held' | 'refused' | 'unknown';

/** Whatever isn't known to be harmless is `unknown`, errors that aren't of this client included. */
export function outcomeOf(error: unknown): Outcome {
	if (error instanceof UnreachableError || (error instanceof ServerError && error.isEarly)) return 'not-sent';
	if (error instanceof AbortError) return error.isSent ? 'unknown' : 'not-sent';
	if (error instanceof RateLimitedError) return 'wait';
	if (
		error instanceof UnauthorizedError ||
		error instanceof ForbiddenError ||
		error instanceof NotFoundError
	) {
		return 'held';
	}
	if (error instanceof RejectedError || error instanceof ValidationError) return 'refused';
	// 307 and 308 say that nothing was done; the other redirects may follow a finished post.
	if (error instanceof RedirectError && (error.status === 307 || error.status === 308)) return 'refused';
	return 'unknown';
}
