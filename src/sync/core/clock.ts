/** The engine's only source of time and timers, so that tests can control it. Times are Unix ms. */
export type Clock = {
	now(): number;
	/** Calls `run` once after `ms`; the returned function cancels it. */
	after(ms: number, run: () => void): () => void;
};

export const systemClock: Clock = {
	now: () => Date.now(),
	after(ms, run) {
		// A time in the past is due now; Node would print a warning for a negative delay.
		const timer = setTimeout(run, Math.max(0, ms));
		return () => clearTimeout(timer);
	},
};
