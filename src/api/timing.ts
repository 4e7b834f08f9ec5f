/** Time and chance as the client uses them; the engine's `Clock` fits. Times are Unix ms. */
export type Timing = {
	now(): number;
	/** Calls `run` once after `ms`; the returned function cancels it. */
	after(ms: number, run: () => void): () => void;
	/** 0 up to, not including, 1. */
	random?(): number;
};

export const systemTiming: Timing = {
	now: () => Date.now(),
	after(ms, run) {
		// A time that has passed is due now; Node would print a warning.
		const timer = setTimeout(run, Math.max(0, ms));
		return () => clearTimeout(timer);
	},
};
