import type {Clock} from './clock.ts';

/** Maximum time per slice, ms, plus one step. The first is shorter: it is part of handling a key. */
const sliceDuration = 4;
const firstSliceDuration = 1;
/** Minimum time between two progress reports, ms, so that the screen isn't redrawn for each slice. */
const reportInterval = 100;
/** Delay before a search starts, ms: the next key may replace it. */
export const typingDelay = 25;

/**
 * Runs steps in slices without delaying keys or frames: the first slice runs immediately, each later one
 * after other pending work. `onReport` is called after the first slice, then from time to time, and at the
 * end. Call the returned function to cancel.
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
