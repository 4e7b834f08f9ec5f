import {expect, test} from 'vitest';
import {strings} from '../../../../src/commands/doctor/strings.ts';

test.each([
	[0, 0, 'Everything works.'],
	[1, 0, '1 problem: see above.'],
	[2, 1, '2 problems and 1 warning: see above.'],
])('the doctor sums up %i problems and %i warnings', (problems, warnings, summary) => {
	expect(strings.summary(problems, warnings)).toBe(summary);
});
