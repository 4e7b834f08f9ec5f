import {backoff} from '../domain/backoff.ts';
import {LostAnswerError, RateLimitedError, ServerError, UnreachableError} from './errors.ts';

/**
 * When the client may retry a call by itself.
 * `read`: whenever a retry may help; for idempotent calls (GET and PATCH).
 * `post`: only if the call was certainly not accepted. `once`: never; the outbox decides.
 */
export type RetryPolicy = 'read' | 'post' | 'once';

/** Default number of retries per call. */
const defaultRetries = 3;

/** Maximum jitter added to the wait the service asks for, ms. */
const spread = 1_000;

/** Delay before the next try, ms; undefined if this error is not retried. `retry` counts from 0. */
export function retryDelay(
	error: unknown,
	policy: RetryPolicy,
	retry: number,
	chance: number,
	maxRetries = defaultRetries,
): number | undefined {
	if (policy === 'once' || retry >= maxRetries) return undefined;
	// At least what the service asked for, plus jitter so that not all clients return together.
	if (error instanceof RateLimitedError) return error.retryAfter + Math.round(chance * spread);
	if (error instanceof UnreachableError) return backoff(retry + 1, chance);
	const mayHelp = error instanceof LostAnswerError || error instanceof ServerError;
	return policy === 'read' && mayHelp ? backoff(retry + 1, chance) : undefined;
}
