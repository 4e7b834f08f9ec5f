/** The only source of time and timers of whoever is handed one, so that tests can control it. Times are Unix ms. */
export type Clock = {
	now(): number;
	/** Calls `run` once after `ms`; the returned function cancels it. */
	after(ms: number, run: () => void): () => void;
};

/** Longest delay of a Node timer, ms: it runs a longer one after 1 ms. */
const maxTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
	now: () => Date.now(),
	after(ms, run) {
		let timer: NodeJS.Timeout | undefined;
		const wait = (left: number) => {
			// A negative delay is due now; Node would print a warning.
			if (left <= maxTimer) timer = setTimeout(run, Math.max(0, left));
			else timer = setTimeout(wait, maxTimer, left - maxTimer);
		};
		wait(ms);
		return () => clearTimeout(timer);
	},
};

/** Waits until the work settles, at most `ms`. Ignores its result; the caller awaits the work itself. */
export function waitWithTimeout(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
	return new Promise(resolve => {
		const cancel = clock.after(ms, resolve);
		const end = () => {
			cancel();
			resolve();
		};
		work.then(end, end);
	});
}
