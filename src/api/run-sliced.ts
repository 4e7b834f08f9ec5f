/** How long a slice may hold up whatever waits, ms: with one step more it is still less than half a frame. */
const slice = 3;

/** Lets whatever waits have its turn: a key that was pressed, a frame. */
function yieldToEventLoop(): Promise<void> {
	return new Promise(resolve => setImmediate(resolve));
}

/**
 * Does work that yields wherever it may be held up, slice by slice, so that nothing waits for all of it. `now` is in ms.
 * Throws what the work throws, and when `signal` ends it.
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
