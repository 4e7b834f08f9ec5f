import {RateLimitedError, UnauthorizedError, UnreachableError} from '../api/errors.ts';
import {doubled} from '../domain/backoff.ts';

/** What the delay until a session's next poll depends on. */
export type PollContext = {
	/** Whether the user is looking at the session. */
	readonly isFocused: boolean;
	readonly isAtWork: boolean;
	/** Number of polls in a row that found nothing. */
	readonly quiet: number;
};

/** Delays of the first polls after our own post or a hook event, ms. */
export const followUps: readonly number[] = [250, 500, 1_000];

const second = 1_000;

/** Delay until the next poll, ms: 1-3 s for a focused session at work, backing off to a minute when idle. */
export function nextPollDelay({isFocused, isAtWork, quiet}: PollContext): number {
	const share = isFocused ? 1 : 3;
	if (isAtWork) return share * Math.min(3 * second, second * 1.5 ** quiet);
	return Math.min(60 * second, share * 3 * second * 1.6 ** quiet);
}

/**
 * Delay until a failed poll is retried, ms. `failures` is the number of failures in a row before this one.
 */
export function nextRetryDelay(error: unknown, failures: number): number {
	if (error instanceof RateLimitedError) return error.retryAfter;
	// The circuit breaker delays every request until the next attempt is due.
	if (error instanceof UnreachableError || error instanceof UnauthorizedError) return 0;
	return doubled(failures);
}
