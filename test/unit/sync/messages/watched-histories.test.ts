import fc from 'fast-check';
import {test} from 'vitest';
import {type HistoryStep, runHistory} from '../../../support/watched-history.ts';

const minute = 60_000;

const session = fc.nat(2);
const isQuestion = fc.boolean();
const back = fc.nat(5);
const step: fc.Arbitrary<HistoryStep> = fc.oneof(
	{weight: 2, arbitrary: fc.record({kind: fc.constantFrom('add' as const, 'ask', 'read'), session})},
	{
		weight: 2,
		arbitrary: fc.record({kind: fc.constantFrom('fail' as const, 'call', 'result', 'remind'), session}),
	},
	{weight: 4, arbitrary: fc.record({kind: fc.constantFrom('answer' as const, 'grow'), session, isQuestion})},
	{weight: 1, arbitrary: fc.record({kind: fc.constant('edit' as const), session, back, isQuestion})},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('wait' as const),
			ms: fc.constantFrom(1, 1_000, 6_000, 20_000, 2 * minute),
		}),
	},
	{weight: 1, arbitrary: fc.constantFrom<HistoryStep>({kind: 'stop'}, {kind: 'check'})},
);
const lengths = fc.shuffledSubarray([0, 1, 4, 110], {minLength: 3, maxLength: 3});
const skew = fc.constantFrom(0, 0, -7 * minute, 7 * minute);

test.each([false, true])(
	'sessions that nobody has open always show their true state: oldest first %s',
	async isOldestFirst => {
		const steps = fc.array(step, {minLength: 10, maxLength: 40});
		await fc.assert(
			fc.asyncProperty(lengths, skew, steps, (lengths, skew, steps) =>
				runHistory({isOldestFirst, skew, lengths}, [{kind: 'add', session: 0}, ...steps]),
			),
			{numRuns: 3},
		);
	},
);
