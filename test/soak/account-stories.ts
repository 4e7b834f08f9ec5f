import {lengthOf, type Part} from './part.ts';
import {runTests} from './run-tests.ts';

const minutes = lengthOf('SOAK_ACCOUNT_MINUTES', 60, 0.5);

/** A1: the stories of the test `account-stories`, for as long as it is asked. Takes the build in `dist`. */
export const accountStories: Part = {
	name: 'A1',
	title: 'two services, three keys, one state folder: nothing crosses, nothing is lost',
	async run(progress) {
		const {isPassed, output} = await runTests(
			['test/e2e/account-stories.test.ts'],
			{SOAK_ACCOUNT_MINUTES: String(minutes)},
			seconds => progress(seconds / 60, minutes),
		);
		const counts: Record<string, number> = JSON.parse(/^counts (.*)$/m.exec(output)?.[1] ?? '{}');
		return [
			...Object.entries(counts).map(([what, count]) => ({what, value: String(count)})),
			{
				what: 'stories in which something crossed or was lost',
				value: isPassed ? '0' : '1',
				goal: '0',
				isMet: isPassed,
			},
		];
	},
};
