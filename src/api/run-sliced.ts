/** Maximum time of a slice, ms: with one more step it is still under half a frame. */
const slice = 3;
/** The first slice may be part of handling a key. */
const firstSlice = 1;
/** Minimum time between two reports, ms, so that the screen isn't redrawn for each slice. */
const reportInterval = 100;

export type SlicedOptions = {
	readonly signal?: AbortSignal | undefined;
	/** Called after the first slice, then from time to time, and at the end. */
	readonly onReport?: (isOver: boolean) => void;
};

/** Lets pending events run, such as a key press or a frame. */
function yieldToEventLoop(): Promise<void> {
	return new Promise(resolve => setImmediate(resolve));
}

/**
 * Runs steps in time slices, so that long work doesn't block the event loop; short work is done when this
 * returns, and ends the work. `now` is in ms. Throws what the work throws, and the signal's reason when `signal` aborts.
 */
export async function runSliced<Result>(
	work: Iterator<unknown, Result>,
	now: () => number,
	{signal, onReport}: SlicedOptions = {},
): Promise<Result> {
	let maxDuration = firstSlice;
	let reportedAt = Number.NEGATIVE_INFINITY;
	try {
		for (;;) {
			const startedAt = now();
			do {
				const {done, value} = work.next();
				if (!done) continue;
				onReport?.(true);
				return value;
			} while (now() - startedAt < maxDuration);
			maxDuration = slice;
			if (now() - reportedAt >= reportInterval) {
				reportedAt = now();
				onReport?.(false);
			}
			await yieldToEventLoop();
			signal?.throwIfAborted();
		}
	} finally {
		// Work that is given up releases what it holds, such as a file.
		work.return?.();
	}
}
