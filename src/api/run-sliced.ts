/** Maximum time of a slice, ms: with one more step it is still under half a frame. */
const slice = 3;
/** The first slice may be part of handling a key. */
const firstSlice = 1;
/** Minimum time between two reports, ms, so that the screen isn't redrawn for each slice. */
const reportInterval = 100;

type SlicedOptions = {
	readonly signal?: AbortSignal | undefined;
	/** Called after the first slice, then from time to time, and at the end. */
	readonly onReport?: (isOver: boolean) => void;
};

/** Lets pending events run, such as a key press or a frame. */
function yieldToEventLoop(): Promise<void> {
	return new Promise(resolve => setImmediate(resolve));
}

/**
 * Runs the steps of `work` in time slices, so that they don't block the event loop. Work that fits in the first slice is
 * done before this returns its promise. `now` is in ms. Throws what the work throws, and the reason of an aborted
 * `signal`.
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
		// Lets aborted work release its resources, such as a file.
		work.return?.();
	}
}
