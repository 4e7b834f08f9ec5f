import type {ReadingProgress} from '../../state/organization/organization.ts';

/** Reports the progress of a step: `done` is 0 to 1, absent if the total is unknown. */
export type StepProgress = (text: string, done?: number) => void;

/**
 * One progress bar for all steps of a read. Each step gets its share of the bar, 0 to 1, when it begins, or
 * the rest if that is less; it starts where the previous step's share ends.
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
