import {expect, test} from 'vitest';
import {settingTree} from '../../../../src/text/values/setting-tree.ts';

test.each([
	['text', 'text'],
	['two\nlines', 'two\nlines'],
	['', '(empty text)'],
	[false, 'false'],
	[null, 'null'],
	[[], '(empty list)'],
	[{}, '(nothing)'],
	[['a', 'b'], '• a\n• b'],
])('shows %j', (value, text) => expect(settingTree(value)).toBe(text));

test('lists fields below each other, with their parts below them', () => {
	const value = {
		model: 'own',
		limits: {perDay: 5, teams: ['research', {name: 'sales', max: 2}]},
		none: {},
		note: 'first\nsecond',
	};
	expect(settingTree(value)).toBe(
		[
			'model: own',
			'limits:',
			'  perDay: 5',
			'  teams:',
			'    • research',
			'    • name: sales',
			'      max: 2',
			'none: (nothing)',
			'note: first',
			'  second',
		].join('\n'),
	);
});
