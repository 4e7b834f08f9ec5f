import type {Clock} from './clock.ts';

/** How long one turn may hold up a key, ms; it ends with the step that goes beyond. The first is part of a key's own. */
const sliceDuration = 4;
const firstSliceDuration = 1;
/** What was done is told this often, ms, for the screen not to be drawn for each turn. */
const reportInterval = 100;
/** Who types on within that time, ms, is not kept waiting by what is no longer looked for; the key is drawn meanwhile. */
export const typingDelay = 25;

/**
 * Goes through steps without ever holding up a key or a frame: the first turn at once, the others when whatever else
 * waits has had its turn. `onReport` is called after the first turn, then from time to time, and at the end. The answer ends
 * it.
 */
export function runInTimeSlices(
	clock: Clock,
	steps: Iterable<unknown>,
	onReport: (isOver: boolean) => void,
): () => void {
	const iterator = steps[Symbol.iterator]();
	let reportedAt = Number.NEGATIVE_INFINITY;
	let cancel = () => {};
	let isEnded = false;

	function report(isOver: boolean): void {
		reportedAt = clock.now();
		onReport(isOver);
	}

	function run(maxDuration: number): void {
		const startedAt = clock.now();
		for (;;) {
			if (iterator.next().done) {
				report(true);
				return;
			}
			if (clock.now() - startedAt >= maxDuration) break;
		}
		if (clock.now() - reportedAt >= reportInterval) report(false);
		if (!isEnded) cancel = clock.after(0, () => run(sliceDuration));
	}

	run(firstSliceDuration);
	return () => {
		isEnded = true;
		cancel();
		iterator.return?.();
	};
}
