import {RateLimitedError, UnauthorizedError, UnreachableError} from '../api/errors.ts';
import {doubled} from '../domain/backoff.ts';

/** What the time until a session's next poll depends on. */
export type PollContext = {
	/** The reader's eyes are on it. */
	readonly isFocused: boolean;
	readonly isAtWork: boolean;
	/** Polls in a row that found nothing. */
	readonly quiet: number;
};

/** After our own post or a hook event: the first polls, ms apart. */
export const followUps: readonly number[] = [250, 500, 1_000];

const second = 1_000;

/** Time until the next poll, in ms: 1-3 s for a focused session at work, backing off to a minute when idle. */
export function nextPollDelay({isFocused, isAtWork, quiet}: PollContext): number {
	const share = isFocused ? 1 : 3;
	if (isAtWork) return share * Math.min(3 * second, second * 1.5 ** quiet);
	return Math.min(60 * second, share * 3 * second * 1.6 ** quiet);
}

/** ms until a failed poll is tried again. `failures` counts those in a row before this one. */
export function nextRetryDelay(error: unknown, failures: number): number {
	if (error instanceof RateLimitedError) return error.retryAfter;
	// The circuit breaker holds every request until the next try is due: it is the one that tells when.
	if (error instanceof UnreachableError || error instanceof UnauthorizedError) return 0;
	return doubled(failures);
}
