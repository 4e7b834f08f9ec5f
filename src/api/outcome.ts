import {
	AbortError,
	ComputerUnreachableError,
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
 * What a failed call means for the change it requested.
 * `not-sent`: certainly never reached the service; safe to retry automatically.
 * `wait`: not accepted; retry after `RateLimitedError.retryAfter`.
 * `held`: not accepted (401, 402, 403, 404), and won't be until something else changes.
 * `refused`: not accepted; the same values would be rejected again.
 * `unknown`: may have been accepted. Never retry a post automatically.
 */
type Outcome = 'not-sent' | 'wait' | 'held' | 'refused' | 'unknown';

/** Anything not known to be harmless is `unknown`, including errors from outside this client. */
export function outcomeOf(error: unknown): Outcome {
	if (error instanceof ComputerUnreachableError) return 'not-sent';
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
	// 307 and 308 mean that nothing was done; other redirects may follow a completed post.
	if (error instanceof RedirectError && (error.status === 307 || error.status === 308)) return 'refused';
	return 'unknown';
}
