import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createQuantiles} from '../../../../src/domain/usage/people.ts';

function quantilesOf(values: Iterable<number>) {
	const quantiles = createQuantiles();
	for (const value of values) quantiles.add(value);
	return quantiles;
}

test('a quantile is the smallest number with that share of the numbers at or below it', () => {
	const values = fc.array(fc.double({noNaN: true, noDefaultInfinity: true}), {minLength: 1, maxLength: 200});
	fc.assert(
		fc.property(values, fc.constantFrom(0.25, 0.5, 0.75, 1), (list, share) => {
			const at = quantilesOf(list).at(share) ?? Number.NaN;
			expect(list).toContain(at);
			expect(list.filter(value => value <= at).length).toBeGreaterThanOrEqual(share * list.length);
			expect(list.filter(value => value < at).length).toBeLessThan(share * list.length);
		}),
	);
	expect(quantilesOf([]).at(0.5)).toBeUndefined();
});

test('estimates the quantiles of very many numbers closely', () => {
	const count = 100_000;
	// Every number below it once, in no order.
	const quantiles = quantilesOf(Array.from({length: count}, (_, index) => (index * 7919) % count));
	for (const share of [0.25, 0.5, 0.75])
		expect(Math.abs((quantiles.at(share) ?? 0) - share * count)).toBeLessThan(count / 100);
});
