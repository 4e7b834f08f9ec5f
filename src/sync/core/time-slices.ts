import {runSliced} from '../../api/run-sliced.ts';
import type {Clock} from '../../domain/clock.ts';

/** Delay before a search starts, ms: the next key may replace it. */
export const typingDelay = 25;

/** Runs steps with `runSliced` until the returned function is called. */
export function runInTimeSlices(
	{now}: Clock,
	steps: Iterable<unknown>,
	onReport: (isOver: boolean) => void,
): () => void {
	const ending = new AbortController();
	const {signal} = ending;
	runSliced(steps[Symbol.iterator](), now, {signal, onReport}).catch(error => {
		if (!signal.aborted) throw error;
	});
	return () => ending.abort();
}
