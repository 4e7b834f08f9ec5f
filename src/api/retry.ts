import {backoff} from '../domain/backoff.ts';
import {LostAnswerError, RateLimitedError, ServerError, UnreachableError} from './errors.ts';

/**
 * When the client may repeat a call by itself.
 * `read`: whenever a repeat may help; for calls that can safely be made twice (GET and PATCH).
 * `post`: only when the call was certainly not accepted. `once`: never; the outbox decides.
 */
export type RetryPolicy = 'read' | 'post' | 'once';

/** Repeats of one call, when nothing else is told. */
const defaultRetries = 3;

/** What is added at most to the time that the service asks for, ms. */
const spread = 1_000;

/** How long to wait before the next try, ms; nothing when this error gets no other try. `retry` counts from 0. */
export function retryDelay(
	error: unknown,
	policy: RetryPolicy,
	retry: number,
	chance: number,
	maxRetries = defaultRetries,
): number | undefined {
	if (policy === 'once' || retry >= maxRetries) return undefined;
	// Never less than what the service asked for; a little more, so that not everyone comes back at once.
	if (error instanceof RateLimitedError) return error.retryAfter + Math.round(chance * spread);
	if (error instanceof UnreachableError) return backoff(retry + 1, chance);
	const mayHelp = error instanceof LostAnswerError || error instanceof ServerError;
	return policy === 'read' && mayHelp ? backoff(retry + 1, chance) : undefined;
}
