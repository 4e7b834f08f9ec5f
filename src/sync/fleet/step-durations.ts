import type {Database} from '../../db/database.ts';
import type {Computer} from '../../domain/computers/computer.ts';
import {stepDuration, stepState} from '../../domain/computers/provisioning.ts';
import type {ReadingProgress} from '../../state/organization.ts';
import type {SafeWrite} from '../core/safe-write.ts';

/**
 * Saves the durations of the steps that ended between two reads of a computer; their medians give the next
 * ETA.
 */
export function recordDurations(
	{database, safeWrite}: {readonly database: Database; readonly safeWrite: SafeWrite},
	before: Computer | undefined,
	after: Computer,
): void {
	for (const [index, step] of (after.provisioningSteps ?? []).entries()) {
		const steps = before?.provisioningSteps;
		const previous = step.id === undefined ? steps?.[index] : steps?.find(({id}) => id === step.id);
		const ms = stepDuration(step);
		if (!step.name || ms === undefined || stepState(step).state !== 'done') continue;
		const isNew =
			!previous || stepState(previous).state !== 'done' || previous.completedAt !== step.completedAt;
		const {name} = step;
		if (isNew) safeWrite(() => database.durations.add(name, ms));
	}
}

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
