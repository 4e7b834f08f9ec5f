import type {Clock} from './clock.ts';

/** Requests that may be made at once after a rest, and the most that others can run up as a debt. */
const burst = 4;
/** The budget never falls below this share of the configured one. */
const leastShare = 1 / 16;
/** Each success gives back this share of the configured budget. */
const growth = 1 / 50;
/** The watcher's share of the budget, however much others use. */
const watchShare = 1 / 4;

/**
 * How many requests may be made per second. All requests count, but only those of the watcher wait for it: what
 * the user does, and the session they look at, come first. What others need leaves the watcher a quarter. A rate
 * limit halves the budget; successes let it grow back.
 */
export class RequestBudget {
	readonly #clock: Clock;
	readonly #configured: number;
	#perSecond: number;
	/** Requests that may be made now; negative after more than the budget allows. */
	#available = burst;
	#countedAt: number;
	/** When the watcher made its last request, and when the budget was last halved, Unix ms. */
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

	/** When the watcher may make its next request, Unix ms; in the past or now if it may be made already. */
	get readyAt(): number {
		this.#count();
		const shared = this.#countedAt + (Math.max(0, 1 - this.#available) / this.#perSecond) * 1000;
		return Math.min(shared, this.#watchedAt + 1000 / (this.#perSecond * watchShare));
	}

	/** Counts a request. */
	take(isWatcher: boolean): void {
		this.#count();
		this.#available = Math.max(-burst, this.#available - 1);
		if (isWatcher) this.#watchedAt = this.#countedAt;
	}

	/** Halves the budget after a refusal; those of requests that were under way together count once. */
	slowDown(requestedAt: number): void {
		this.#count();
		const isCounted = requestedAt < this.#slowedAt && this.#slowedAt <= this.#countedAt;
		if (isCounted) return;
		this.#slowedAt = this.#countedAt;
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
		const elapsed = now - this.#countedAt;
		if (elapsed > 0) this.#available = Math.min(burst, this.#available + (elapsed / 1000) * this.#perSecond);
		this.#countedAt = now;
	}
}
