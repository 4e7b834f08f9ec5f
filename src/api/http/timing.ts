/** Clock, timers and randomness for the client; compatible with the engine's `Clock`. Times are Unix ms. */
export type Timing = {
	now(): number;
	/** Calls `run` once after `ms`; the returned function cancels it. */
	after(ms: number, run: () => void): () => void;
	/** A random number from 0 (inclusive) to 1 (exclusive). */
	random?(): number;
};

/** Longest delay of a Node timer, ms: it runs a longer one after 1 ms. */
const maxTimer = 2 ** 31 - 1;

export const systemTiming: Timing = {
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

/** Waits `ms`. Rejects with the signal's reason if it aborts first. */
export function delay(timing: Timing, ms: number, signal?: AbortSignal): Promise<void> {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	if (signal?.aborted) return Promise.reject(signal.reason);
	const onAbort = () => {
		cancel();
		reject(signal?.reason);
	};
	const cancel = timing.after(ms, () => {
		signal?.removeEventListener('abort', onAbort);
		resolve();
	});
	signal?.addEventListener('abort', onAbort, {once: true});
	return promise;
}
