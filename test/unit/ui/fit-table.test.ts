import fc from 'fast-check';
import {expect, test} from 'vitest';
import {numberIn} from '../../../src/state/rows/column.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {fitTable} from '../../../src/ui/kit/columns.ts';

type Sized = {readonly width: number; readonly max?: number};
const column = (width: number, max?: number): Sized => ({width, ...(max !== undefined && {max})});
const ranked = (size: Sized, rank: number) => ({
	...size,
	rank,
	growAfter: 10,
	title: safe`A`,
	cell: () => [],
});
const widths = (columns: readonly Sized[], width: number) =>
	fitTable(columns.map(ranked), width).map(one => one.width);

test('gives the remaining room only to the columns that want it', () => {
	expect(widths([column(20, 60), column(5), column(10, 30)], 40)).toEqual([21, 5, 10]);
	expect(widths([column(20, 60), column(5), column(10, 30)], 60)).toEqual([31, 5, 20]);
	// Who wants little leaves the rest of its part to the other.
	expect(widths([column(20, 60), column(5), column(10, 12)], 60)).toEqual([39, 5, 12]);
	expect(widths([column(20, 60), column(5), column(10, 30)], 200)).toEqual([60, 5, 30]);
});

test('drops columns without room from the last one on, and narrows a single one', () => {
	expect(widths([column(20), column(5), column(10)], 30)).toEqual([20, 5]);
	expect(widths([column(20, 60), column(5), column(10)], 12)).toEqual([12]);
});

test('columns never exceed the width, and never get less than their own', () => {
	const any = fc.record({width: fc.integer({min: 4, max: 40}), more: fc.integer({min: -5, max: 90})});
	fc.assert(
		fc.property(
			fc.array(any, {minLength: 1, maxLength: 8}),
			fc.integer({min: 40, max: 300}),
			(list, width) => {
				const columns = list.map(({width: own, more}) => column(own, own + more));
				const fitted = fitTable(columns.map(ranked), width);
				const used = fitted.reduce((sum, one) => sum + one.width, 2 * (fitted.length - 1));
				expect(used).toBeLessThanOrEqual(width);
				for (const [index, one] of fitted.entries()) {
					const {width: own, max = 0} = columns[index] as Sized;
					expect(one.width).toBeGreaterThanOrEqual(own);
					expect(one.width).toBeLessThanOrEqual(Math.max(own, max));
				}
				// Room is left only where nobody wants it.
				const isLacking = fitted.some((one, index) => one.width < (columns[index]?.max ?? 0));
				if (fitted.length === columns.length && isLacking) expect(used).toBe(width);
			},
		),
	);
});

test.each([
	[26_243_885_210, 12, '26B'],
	[-26_243_885_210.5, 12, '-26B'],
	[1_243_885_210, 13, '1,243,885,210'],
	[1234.5, 12, '1,234.5 '],
])('rounds a number that has no room: %f in %i columns', (value, width, shown) => {
	expect(numberIn(value, width, 2)).toBe(shown);
});
