/** The only source of time and timers of the engine, so that tests can hold it still. Times are Unix ms. */
export type Clock = {
	now(): number;
	/** Calls `run` once after `ms`; the returned function cancels it. */
	after(ms: number, run: () => void): () => void;
};

export const systemClock: Clock = {
	now: () => Date.now(),
	after(ms, run) {
		// A time that has passed is due now; Node would print a warning.
		const timer = setTimeout(run, Math.max(0, ms));
		return () => clearTimeout(timer);
	},
};
