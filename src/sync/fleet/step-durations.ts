import type {Computer} from '../../domain/computers/computer.ts';
import {stepDuration, stepState} from '../../domain/computers/provisioning.ts';
import type {EngineParts} from '../engine-parts.ts';

/** Saves the durations of the steps that ended between two reads of a computer: their medians give the next ETA. */
export function recordDurations(
	{database, safeWrite}: Pick<EngineParts, 'database' | 'safeWrite'>,
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
