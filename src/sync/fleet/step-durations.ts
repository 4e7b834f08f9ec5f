import type {Computer} from '../../domain/computers/computer.ts';
import {stepDuration, stepState} from '../../domain/computers/provisioning.ts';
import type {EngineParts} from '../engine-parts.ts';

/** Saves the durations of the steps that ended between two reads of a computer: their medians give the next ETA. */
export function recordDurations(
	{database, safeWrite}: Pick<EngineParts, 'database' | 'safeWrite'>,
	before: Computer | undefined,
	after: Computer,
): void {
	const steps = before?.provisioningSteps ?? [];
	// The first of an id counts.
	const byId = new Map(steps.toReversed().map(step => [step.id, step]));
	const runs: (readonly [stepName: string, ms: number])[] = [];
	for (const [index, step] of (after.provisioningSteps ?? []).entries()) {
		const previous = step.id === undefined ? steps[index] : byId.get(step.id);
		const ms = stepDuration(step);
		if (!step.name || ms === undefined || stepState(step).state !== 'done') continue;
		const isNew =
			!previous || stepState(previous).state !== 'done' || previous.completedAt !== step.completedAt;
		if (isNew) runs.push([step.name, ms]);
	}
	if (runs.length > 0) safeWrite(() => database.durations.addAll(runs));
}
