import type {Clock} from './clock.ts';

/** Requests that may be made at once after a rest, and the most that others can run up as a debt. */
const burst = 4;
/** The budget never falls below this share of the configured one. */
const leastShare = 1 / 16;
/** Each success gives back this share of the configured budget. */
const growth = 1 / 50;

/**
 * How many requests may be made per second. All requests count, but only those of the watcher wait for it: what
 * the user does, and the session they look at, come first. A rate limit halves the budget; successes let it grow
 * back.
 */
export class RequestBudget {
	readonly #clock: Clock;
	readonly #configured: number;
	#perSecond: number;
	/** Requests that may be made now; negative after more than the budget allows. */
	#available = burst;
	#countedAt: number;

	constructor(clock: Clock, perSecond: number) {
		this.#clock = clock;
		this.#configured = perSecond;
		this.#perSecond = perSecond;
		this.#countedAt = clock.now();
	}

	get perSecond(): number {
		return this.#perSecond;
	}

	/** When the next request may be made, Unix ms; in the past or now if it may be made already. */
	get readyAt(): number {
		this.#count();
		return this.#countedAt + (Math.max(0, 1 - this.#available) / this.#perSecond) * 1000;
	}

	/** Counts a request. */
	take(): void {
		this.#count();
		this.#available = Math.max(-burst, this.#available - 1);
	}

	slowDown(): void {
		this.#count();
		this.#perSecond = Math.max(this.#configured * leastShare, this.#perSecond / 2);
	}

	succeeded(): void {
		if (this.#perSecond === this.#configured) return;
		this.#count();
		this.#perSecond = Math.min(this.#configured, this.#perSecond + this.#configured * growth);
	}

	/** Adds what the time since the last count allows. A clock that was set back adds nothing. */
	#count(): void {
		const now = this.#clock.now();
		const elapsed = Math.max(0, now - this.#countedAt);
		this.#available = Math.min(burst, this.#available + (elapsed / 1000) * this.#perSecond);
		this.#countedAt = now;
	}
}
