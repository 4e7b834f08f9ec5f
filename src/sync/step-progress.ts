import type {ReadingProgress} from '../state/organization.ts';

/** Tells how far a step is: `done` from 0 to 1, absent where nothing tells how much there will be. */
export type StepProgress = (text: string, done?: number) => void;

/**
 * One bar over the steps of a reading. Each step is given its part of the whole, from 0 to 1, when it begins, or what
 * is left of it when that is less; the bar goes on where the step before ended.
 */
export function createStepProgress(
	reportProgress: (progress: ReadingProgress) => void,
): (part: number) => StepProgress {
	let next = 0;
	return part => {
		const start = next;
		next = Math.min(1, start + part);
		const size = next - start;
		return (text, done) =>
			reportProgress(done === undefined ? {text} : {text, share: start + size * Math.min(1, done)});
	};
}
