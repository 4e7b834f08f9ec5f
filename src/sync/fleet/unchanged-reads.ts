import type {Clock} from '../core/clock.ts';
import type {Registry} from './registry.ts';

/** Maximum error of the displayed age of a computer, by whether it is being provisioned, ms. */
const reportIntervals = {waiting: 5_000, settled: 60_000} as const;

/**
 * Batches reads of computers that found nothing new: one store update and one write for all of them. Uses no
 * timer: recorded reads are applied with a later one.
 */
export class UnchangedReads {
	readonly #registry: Registry;
	readonly #clock: Clock;
	readonly #readAt = new Map<string, number>();
	#reportedAt = Number.NEGATIVE_INFINITY;

	constructor(registry: Registry, clock: Clock) {
		this.#registry = registry;
		this.#clock = clock;
	}

	/** Records that the computer was read now and is unchanged. */
	note(computerId: string, isWaiting: boolean): void {
		const now = this.#clock.now();
		const {fetchedAt = 0} = this.#registry.computer(computerId) ?? {};
		if (now - fetchedAt < (isWaiting ? reportIntervals.waiting : reportIntervals.settled)) return;
		this.#readAt.set(computerId, now);
		if (now - this.#reportedAt < reportIntervals.waiting) return;
		this.#reportedAt = now;
		this.#registry.readAgain(this.#readAt);
		this.#readAt.clear();
	}
}
