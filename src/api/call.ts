import {type Attempt, attempt, type Host} from './attempt.ts';
import {AbortError, RateLimitedError} from './errors.ts';
import {outcomeOf} from './outcome.ts';
import {type RetryPolicy, retryDelay} from './retry.ts';
import type {CallOptions} from './service.ts';
import type {Timing} from './timing.ts';

/** One call of an endpoint. `path` starts at the host's address; its ids are encoded already. */
export type Call<T> = Attempt<T> & {
	/** `base` for everything but readiness reports (contract, first paragraph). */
	readonly host: 'base' | 'app';
	readonly policy: RetryPolicy;
};

/** Makes a call, with the waits and repeats its policy allows. Throws the errors of `errors.ts`. */
export type Caller = <T>(call: Call<T>, options?: CallOptions) => Promise<T>;

export type CallerParts = {
	readonly hosts: {readonly base: Host; readonly app: Host};
	readonly timing: Timing;
};

/** All the time a call may take, tries and waits together, ms: what only reads, and what changes something. */
const readBudget = 60_000;
const writeBudget = 120_000;

export function createCaller({hosts, timing}: CallerParts): Caller {
	const chance = timing.random ?? Math.random;
	return async (call, options = {}) => {
		const {signal} = options;
		const host = hosts[call.host];
		const deadline = timing.now() + (call.method === 'GET' ? readBudget : writeBudget);
		/** The first failure after which the service may have done what was asked. */
		let doubt: unknown;
		for (let retry = 0; ; retry++) {
			try {
				await waitForTurn(host, call.policy, deadline, timing, signal, doubt !== undefined);
				return await attempt(host, call, deadline - timing.now(), signal);
			} catch (error) {
				const outcome = outcomeOf(error);
				if (call.method !== 'GET' && outcome === 'unknown') doubt ??= error;
				const delay = retryDelay(error, call.policy, retry, chance());
				const isWorthIt = delay !== undefined && timing.now() + delay < deadline && host.limiter.takeRetry();
				if (!isWorthIt) {
					// "Surely not sent" is true of the last try only: an earlier one may have been applied.
					const isSettled = outcome === 'refused' || outcome === 'held' || error instanceof AbortError;
					throw isSettled ? error : (doubt ?? error);
				}
				await pause(delay, timing, signal, doubt !== undefined);
			}
		}
	};
}

/** Lets the wait pass that the origin asked for; throws when it doesn't fit, or for a call that never waits. */
async function waitForTurn(
	host: Host,
	policy: RetryPolicy,
	deadline: number,
	timing: Timing,
	signal: AbortSignal | undefined,
	isSent: boolean,
): Promise<void> {
	for (let wait = host.limiter.waitAt(timing.now()); wait > 0; wait = host.limiter.waitAt(timing.now())) {
		if (policy === 'once' || timing.now() + wait >= deadline) {
			throw new RateLimitedError('The service asked to wait; nothing was sent.', {
				hint: `Try again in ${Math.ceil(wait / 1000)} s.`,
				retryAfter: wait,
			});
		}
		await pause(wait, timing, signal, isSent);
	}
}

function pause(ms: number, timing: Timing, signal: AbortSignal | undefined, isSent: boolean): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(new AbortError(isSent));
		const abort = () => {
			cancel();
			reject(new AbortError(isSent));
		};
		const cancel = timing.after(ms, () => {
			signal?.removeEventListener('abort', abort);
			resolve();
		});
		signal?.addEventListener('abort', abort, {once: true});
	});
}
