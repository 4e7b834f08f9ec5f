import {isOver, type Wait} from '../domain/backoff.ts';

/** State shared by all calls to one origin: the wait it asked for, and a retry budget. */
export type Limiter = {
	/** How long to send nothing from `now` on, ms; 0 if there is no wait. */
	waitAt(now: number): number;
	/** Starts a wait the origin asked for. A longer running wait stays. */
	hold(wait: Wait): void;
	/** Takes one retry from the budget; false if none is left. */
	takeRetry(): boolean;
	/** Records a success, which restores part of a retry. */
	succeed(): void;
};

const fullBudget = 10;
const earnedByEachSuccess = 0.2;

/** The retry budget keeps a failing service from getting four times the requests of a healthy one. */
export function createLimiter(): Limiter {
	let held: Wait | undefined;
	let budget = fullBudget;
	return {
		waitAt: now => (held && !isOver(held, now) ? held.until - now : 0),
		hold(wait) {
			if (!held || isOver(held, wait.since) || wait.until > held.until) held = wait;
		},
		takeRetry() {
			if (budget < 1) return false;
			budget -= 1;
			return true;
		},
		succeed() {
			budget = Math.min(fullBudget, budget + earnedByEachSuccess);
		},
	};
}
