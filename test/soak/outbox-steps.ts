import fc from 'fast-check';
import {outboxModel} from '../support/outbox-model.ts';
import {Failures, lengthOf, type Part} from './part.ts';

const total = lengthOf('SOAK_OUTBOX_STEPS', 1_000_000, 5_000);
const runsATime = 100;

/** H2: the outbox model, each hundred runs with a seed of their own. */
export const outboxSteps: Part = {
	name: 'H2',
	title: "outbox model: nothing lost, nothing doubled without the user's choice",
	async run(progress) {
		const failed = new Failures();
		let steps = 0;
		let runs = 0;
		const model = outboxModel(count => {
			steps += count;
			runs++;
		});
		while (steps < total) {
			const result = await fc.check(model, {numRuns: runsATime});
			if (result.failed) failed.add(fc.defaultReportMessage(result) ?? `seed ${result.seed}`);
			progress(steps, total);
		}
		return [
			{what: 'steps', value: steps.toLocaleString('en')},
			{what: 'runs', value: runs.toLocaleString('en')},
			failed.finding('hundreds of runs with one that lost, doubled or disordered'),
		];
	},
};
