import {expect, test} from 'vitest';
import type {ReadingProgress} from '../../../../src/state/organization/organization.ts';
import {createStepProgress} from '../../../../src/sync/organization/step-progress.ts';

test('each step continues where the one before ended, and the last one takes the rest', () => {
	const reported: ReadingProgress[] = [];
	const step = createStepProgress(progress => reported.push(progress));
	const [first, second, last] = [step(0.25), step(0.5), step(1)];
	first('one', 0.5);
	first('one', 3);
	second('two');
	second('two', 0.5);
	last('three', 0);
	last('three', 1);
	expect(reported).toEqual([
		{text: 'one', share: 0.125},
		{text: 'one', share: 0.25},
		{text: 'two'},
		{text: 'two', share: 0.5},
		{text: 'three', share: 0.75},
		{text: 'three', share: 1},
	]);
});
