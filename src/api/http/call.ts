import {backoff} from '../../domain/backoff.ts';
import type {Call} from '../client.ts';
import {AbortError, LostResponseError, RateLimitedError, ServerError, UnreachableError} from '../errors.ts';
import {outcomeOf} from '../outcome.ts';
import {retryAfterLimit} from '../rate-limit.ts';
import {attempt, type Host} from './attempt.ts';
import {delay, type Timing} from './timing.ts';

/**
 * When the client may retry a call by itself.
 * `read`: whenever a retry may help; for idempotent calls (GET and PATCH).
 * `post`: only if the call was certainly not accepted.
 * `once`: never; the outbox decides.
 */
export type RetryPolicy = 'read' | 'post' | 'once';

const defaultRetries = 3;

/** Delay before the next try, ms; undefined if this error is not retried. `retry` counts from 0. */
export function retryDelay(
	error: unknown,
	policy: RetryPolicy,
	retry: number,
	chance: number,
	maxRetries = defaultRetries,
): number | undefined {
	if (policy === 'once' || retry >= maxRetries) return undefined;
	if (error instanceof RateLimitedError) return retryAfterLimit(error, chance);
	if (error instanceof UnreachableError) return backoff(retry + 1, chance);
	const mayHelp = error instanceof LostResponseError || error instanceof ServerError;
	return policy === 'read' && mayHelp ? backoff(retry + 1, chance) : undefined;
}

/** The usual time of a call with its retries and waits, ms, for reads and for writes. */
const readBudget = 60_000;
const writeBudget = 120_000;

/** Makes a call to its host, with the waits and retries it allows. Throws the errors of `errors.ts`. */
export async function makeCall<T>(host: Host, call: Call<T>, retries = defaultRetries): Promise<T> {
	const {timing, limiter} = host;
	const {signal, timeout = call.method === 'GET' ? readBudget : writeBudget} = call;
	const policy = policyOf(call);
	// Counted down, not a point in time: the clock may be set, and jumps after the machine has slept.
	let left = timeout;
	/** The first failure after which the service may have applied the request. */
	let maybeApplied: unknown;
	/** The failure after which the call is tried again. */
	let retried: unknown;
	let wait = 0;
	for (let retry = 0; ; retry++) {
		try {
			if (wait > 0) await pause(wait, timing, signal);
			left -= wait;
			left -= await waitForTurn(host, policy, left, signal);
			const startedAt = timing.now();
			try {
				return await attempt(host, call, left);
			} finally {
				left -= Math.max(0, timing.now() - startedAt);
			}
		} catch (error) {
			if (call.method !== 'GET' && outcomeOf(error) === 'unknown') maybeApplied ??= error;
			if (error instanceof AbortError)
				throw new AbortError(error.isSent || maybeApplied !== undefined, retried);
			const chance = (timing.random ?? Math.random)();
			const next = retryDelay(error, policy, retry, chance, retries);
			if (next === undefined || next >= left || !limiter.takeRetry()) throw worseOf(error, maybeApplied);
			retried = error;
			wait = next;
		}
	}
}

function policyOf({method, isOnce}: Call<unknown>): RetryPolicy {
	if (isOnce) return 'once';
	return method === 'POST' ? 'post' : 'read';
}

/** "Not sent" and "wait" describe only the last try: if an earlier one may have been applied, report that one. */
function worseOf(error: unknown, maybeApplied: unknown): unknown {
	if (maybeApplied === undefined) return error;
	const outcome = outcomeOf(error);
	return outcome === 'not-sent' || outcome === 'wait' ? maybeApplied : error;
}

/**
 * Waits as long as the origin asked for, and returns how long, ms. Throws `RateLimitedError` if that is `left` or more,
 * or the policy is `once`.
 */
async function waitForTurn(
	{limiter, timing}: Host,
	policy: RetryPolicy,
	left: number,
	signal: AbortSignal | undefined,
): Promise<number> {
	let waited = 0;
	for (let wait = limiter.remainingWait(timing.now()); wait > 0; wait = limiter.remainingWait(timing.now())) {
		if (policy === 'once' || waited + wait >= left) {
			throw new RateLimitedError('The service is rate-limiting requests; nothing was sent.', {
				hint: `Try again in ${Math.ceil(wait / 1000)} s.`,
				retryAfter: wait,
			});
		}
		await pause(wait, timing, signal);
		waited += wait;
	}
	return waited;
}

/** Waits `ms`. Throws `AbortError` when the signal aborts. */
async function pause(ms: number, timing: Timing, signal: AbortSignal | undefined): Promise<void> {
	await delay(timing, ms, signal).catch(() => {
		throw new AbortError(false);
	});
}
