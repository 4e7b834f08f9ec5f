import {isOver, type Wait} from '../../domain/backoff.ts';

const fullBudget = 10;
const earnedByEachSuccess = 0.2;

/**
 * State shared by all calls to one origin: the wait it asked for, and a retry budget, which keeps a failing
 * service from getting four times the requests of a healthy one.
 */
export class Limiter {
	#wait: Wait | undefined;
	#budget = fullBudget;

	/** How long to send nothing from `now` on, ms; 0 if there is no wait. */
	remainingWait(now: number): number {
		return this.#wait && !isOver(this.#wait, now) ? this.#wait.until - now : 0;
	}

	/** Starts a wait the origin asked for. A longer running wait stays. */
	hold(wait: Wait): void {
		if (!this.#wait || isOver(this.#wait, wait.since) || wait.until > this.#wait.until) this.#wait = wait;
	}

	/** Takes one retry from the budget; false if none is left. */
	takeRetry(): boolean {
		if (this.#budget < 1) return false;
		this.#budget -= 1;
		return true;
	}

	/** Records a success, which restores part of a retry. */
	succeed(): void {
		this.#budget = Math.min(fullBudget, this.#budget + earnedByEachSuccess);
	}
}
