import {isOver, type Wait} from '../domain/wait.ts';

/** What all calls to one origin share: the wait it asked for, and a budget of retries. */
export type Limiter = {
	/** How long nothing may be sent from `now` on, ms; 0 when the way is free. */
	waitAt(now: number): number;
	/** The origin asked for silence. A longer wait already running stays. */
	hold(wait: Wait): void;
	/** Takes one retry from the budget; false when it is used up. */
	takeRetry(): boolean;
	/** A call went well: a part of a retry comes back. */
	succeed(): void;
};

const fullBudget = 10;
const earnedByEachSuccess = 0.2;

/** The budget keeps a service in trouble from being asked four times as often as a healthy one. */
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
