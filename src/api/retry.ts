import {LostAnswerError, RateLimitedError, ServerError, UnreachableError} from './errors.ts';

/**
 * When the client may repeat a call by itself.
 * `read`: whenever a repeat may help; for calls that can safely be made twice (GET and PATCH).
 * `post`: only when the call was certainly not accepted. `once`: never; the outbox decides.
 */
export type RetryPolicy = 'read' | 'post' | 'once';

/** Repeats of one call, when nothing else is told. */
const defaultRetries = 3;

const minDelay = 1_000;
const maxDelay = 60_000;

/** Full jitter over a range that doubles with each retry, 1 s to at most 60 s. `chance` is 0 up to 1. */
export function backoff(retry: number, chance: number): number {
	const ceiling = Math.min(maxDelay, minDelay * 2 ** (retry + 1));
	return Math.round(minDelay + chance * (ceiling - minDelay));
}

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
	if (error instanceof RateLimitedError) return error.retryAfter + Math.round(chance * minDelay);
	if (error instanceof UnreachableError) return backoff(retry, chance);
	const mayHelp = error instanceof LostAnswerError || error instanceof ServerError;
	return policy === 'read' && mayHelp ? backoff(retry, chance) : undefined;
}
