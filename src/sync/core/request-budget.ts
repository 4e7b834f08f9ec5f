import {slowed} from '../../api/rate-limit.ts';
import type {Clock} from '../../domain/clock.ts';

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
