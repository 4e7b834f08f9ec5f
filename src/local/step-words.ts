import type {TestVariant} from './local-service.ts';
import type {StepStatus} from './provisioning.ts';

const strange: Readonly<Record<StepStatus, string>> = {
	pending: 'Waiting',
	in_progress: 'Executing',
	completed: 'OK',
	failed: 'Errored',
	skipped: 'Not Applicable',
};

/** The word for a step's status. The contract defines none, so services differ; tests choose a style. */
export function stepWord(status: StepStatus, words: TestVariant['stepWords']): string {
	if (words === 'strange') return strange[status];
	return words === 'loud' ? status.toUpperCase() : status;
}
