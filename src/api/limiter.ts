/** What all calls to one origin share: the wait it asked for, and a budget of retries. */
export type Limiter = {
	/** How long nothing may be sent from `now` on, ms; 0 when the way is free. */
	waitAt(now: number): number;
	/** The origin asked for silence until then (Unix ms). A longer wait already running stays. */
	holdUntil(instant: number): void;
	/** Takes one retry from the budget; false when it is used up. */
	takeRetry(): boolean;
	/** A call went well: a part of a retry comes back. */
	succeed(): void;
};

const fullBudget = 10;
const earnedByEachSuccess = 0.2;

/** The budget keeps a service in trouble from being asked four times as often as a healthy one. */
export function createLimiter(): Limiter {
	let heldUntil = 0;
	let budget = fullBudget;
	return {
		waitAt: now => Math.max(0, heldUntil - now),
		holdUntil(instant) {
			heldUntil = Math.max(heldUntil, instant);
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
