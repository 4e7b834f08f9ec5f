import {
	isServiceError,
	LostResponseError,
	RateLimitedError,
	ServerError,
	UnauthorizedError,
	UnreachableError,
} from '../../api/errors.ts';
import {slowed} from '../../api/rate-limit.ts';
import {backoff, isOver} from '../../domain/backoff.ts';
import type {Clock} from '../../domain/clock.ts';

/** Why requests are blocked. `until` is Unix ms; absent while they are blocked until there is a new key. */
export type Block = {
	readonly kind: 'unauthorized' | 'slowed' | 'offline';
	readonly until?: number;
	readonly since: number;
	readonly cause: unknown;
};

/** `since` is Unix ms. */
export type Failing = {readonly since: number; readonly cause: unknown};

/** Whether an error blocks or delays all requests, so that it is shown as the state of the connection. */
export function isConnectionError(error: unknown): boolean {
	return [UnauthorizedError, RateLimitedError, UnreachableError].some(kind => error instanceof kind);
}

/** Whether the circuit breaker ignores the error, so that nothing else reports it: a 404, for one. */
export function isRefusal(error: unknown): boolean {
	return isServiceError(error) && !isConnectionError(error) && !(error instanceof LostResponseError);
}

/** One lost answer may concern that request only; this many in a row mean that the service is offline. */
const maxLostInARow = 2;

/** One request may fail by itself; this many in a row mean that the service fails. */
const maxFailedInARow = 3;

/** Circuit breaker for all requests: blocks after a 401, delays after a 429 or 503, probes when offline. */
export class CircuitBreaker {
	readonly #clock: Clock;
	readonly #random: () => number;
	#block: Block | undefined;
	/** Failures to reach the service, and lost answers, in a row. */
	#failures = 0;
	#lost = 0;
	/** Responses with 5xx, or lost ones, in a row. */
	#failing: (Failing & {readonly count: number}) | undefined;
	/** The user asked for a try, which then doesn't wait for the requests under way: those may hang. */
	#isAsked = false;

	constructor(clock: Clock, random: () => number) {
		this.#clock = clock;
		this.#random = random;
	}

	get block(): Block | undefined {
		return this.#block;
	}

	/** The last error of a service that only responds with 5xx, or not in time, and since when. Blocks nothing. */
	get failing(): Failing | undefined {
		return this.#failing && this.#failing.count >= maxFailedInARow ? this.#failing : undefined;
	}

	/** Returns whether a request may be sent now. `inFlight` is the number of requests under way. */
	allowsRequest(isUrgent: boolean, inFlight: number): boolean {
		if (!this.#block) return true;
		if (this.#block.until === undefined) return false;
		const isPast = !this.#isInEffect();
		if (this.#block.kind === 'offline') return (isPast && (inFlight === 0 || this.#isAsked)) || isUrgent;
		if (isPast) this.#block = undefined;
		return isPast;
	}

	failed(error: unknown): void {
		this.#countFailed(error);
		if (error instanceof UnauthorizedError)
			this.#block = {kind: 'unauthorized', since: this.#clock.now(), cause: error};
		else if (error instanceof RateLimitedError) this.#wait('slowed', error.retryAfter, error);
		else if (error instanceof UnreachableError) this.#goOffline(error);
		else if (error instanceof LostResponseError) {
			if (++this.#lost >= maxLostInARow) this.#goOffline(error);
		} else if (isServiceError(error) && error.status !== undefined && this.#block?.kind === 'offline')
			this.#unblock();
	}

	/** Lets a request through before the next try is due. The service stays offline until it responds. */
	tryNow(): void {
		if (this.#block?.kind !== 'offline') return;
		this.#failures = 0;
		this.#isAsked = true;
		const now = this.#clock.now();
		this.#block = {...this.#block, since: now, until: now};
	}

	/** Clears any block, except a wait that the service asked for while the request was under way. */
	succeeded(): void {
		const wait = this.#block?.kind === 'slowed' && this.#isInEffect() ? this.#block : undefined;
		this.reset();
		this.#block = wait;
	}

	/** Clears any block, after the key changed. */
	reset(): void {
		this.#unblock();
		this.#failing = undefined;
	}

	#unblock(): void {
		this.#block = undefined;
		this.#failures = 0;
		this.#lost = 0;
		this.#isAsked = false;
	}

	#countFailed(error: unknown): void {
		const isLost = error instanceof LostResponseError;
		if (isLost || error instanceof ServerError) {
			// One timeout is enough, as it took long; so is any failure while the service is offline already.
			const isEnough = isLost || this.#block?.kind === 'offline';
			const {since = this.#clock.now(), count = 0} = this.#failing ?? {};
			this.#failing = {since, cause: error, count: isEnough ? maxFailedInARow : count + 1};
		} else if (isServiceError(error) && error.status !== undefined) this.#failing = undefined;
	}

	#goOffline(cause: unknown): void {
		this.#isAsked = false;
		// Requests that failed alongside the last try don't postpone the next one.
		if (this.#block?.kind === 'offline' && this.#isInEffect()) this.#block = {...this.#block, cause};
		else this.#wait('offline', backoff(this.#failures++, this.#random()), cause);
	}

	#wait(kind: 'slowed' | 'offline', ms: number, cause: unknown): void {
		const since = this.#clock.now();
		const until = since + ms;
		const {kind: current, until: currentEnd = 0} = this.#block ?? {};
		if (current === 'unauthorized') return;
		if (kind === 'slowed' && this.#isInEffect() && currentEnd > until) return;
		this.#block = {kind, since, until, cause};
	}

	#isInEffect(): boolean {
		if (!this.#block) return false;
		const {since, until} = this.#block;
		return until === undefined || !isOver({since, until}, this.#clock.now());
	}
}

/** Requests that may be made at once after a pause. Requests of others may exceed the budget by as many. */
const burst = 4;
/** The share of the configured budget that each success gives back. */
const growth = 1 / 50;
/** The watcher's share of the budget, however much others use. */
const watchShare = 1 / 4;

/**
 * Limits requests per second. All requests count, but only the watcher's wait: the user's actions and the open
 * session come first. However much those use, the watcher keeps a quarter of the budget. A rate limit lowers the
 * budget; successes let it grow back.
 */
export class RequestBudget {
	readonly #clock: Clock;
	readonly #configured: number;
	#perSecond: number;
	/** Requests that may be made now; negative after more than the budget allows. */
	#available = burst;
	#countedAt: number;
	/** When the watcher made its last request, and when the budget was last lowered, Unix ms. */
	#watchedAt = Number.NEGATIVE_INFINITY;
	#slowedAt = Number.NEGATIVE_INFINITY;

	constructor(clock: Clock, perSecond: number) {
		this.#clock = clock;
		this.#configured = perSecond;
		this.#perSecond = perSecond;
		this.#countedAt = clock.now();
	}

	get perSecond(): number {
		return this.#perSecond;
	}

	/** When the watcher may make its next request, Unix ms; not in the future if it may make it now. */
	get readyAt(): number {
		this.#count();
		const shared = this.#countedAt + (Math.max(0, 1 - this.#available) / this.#perSecond) * 1000;
		return Math.min(shared, this.#watchedAt + 1000 / (this.#perSecond * watchShare));
	}

	take(isWatcher: boolean): void {
		this.#count();
		this.#available = Math.max(-burst, this.#available - 1);
		if (isWatcher) this.#watchedAt = this.#countedAt;
	}

	/** Lowers the budget after a rate limit; for requests that were under way together, only once. */
	slowDown(requestedAt: number): void {
		this.#count();
		if (requestedAt < this.#slowedAt && this.#slowedAt <= this.#countedAt) return;
		this.#slowedAt = this.#countedAt;
		this.#perSecond = slowed(this.#perSecond, this.#configured);
	}

	succeeded(): void {
		if (this.#perSecond === this.#configured) return;
		this.#count();
		this.#perSecond = Math.min(this.#configured, this.#perSecond + this.#configured * growth);
	}

	/** Adds the requests that the time since the last count allows. A clock that was set back adds none. */
	#count(): void {
		const now = this.#clock.now();
		const elapsed = now - this.#countedAt;
		if (elapsed > 0) this.#available = Math.min(burst, this.#available + (elapsed / 1000) * this.#perSecond);
		this.#countedAt = now;
	}
}
