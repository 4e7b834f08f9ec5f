/** Maximum time of a slice, ms: with one more step it is still under half a frame. */
const slice = 3;

/** Lets pending events run, such as a key press or a frame. */
function yieldToEventLoop(): Promise<void> {
	return new Promise(resolve => setImmediate(resolve));
}

/**
 * Runs a generator in time slices, so that long work doesn't block the event loop. `now` is in ms. Throws
 * what the work throws, and the signal's reason when `signal` aborts.
 */
export async function runSliced<Result>(
	work: Generator<void, Result>,
	now: () => number,
	signal?: AbortSignal,
): Promise<Result> {
	for (;;) {
		const since = now();
		do {
			const {done, value} = work.next();
			if (done) return value;
		} while (now() - since < slice);
		await yieldToEventLoop();
		signal?.throwIfAborted();
	}
}
