import fc from 'fast-check';
import {expect, test} from 'vitest';
import {addDays} from '../../../../src/domain/time.ts';
import {daysIn} from '../../../../src/domain/usage/range.ts';
import {cutAfter, cutByWeight, missingSpans} from '../../../../src/sync/organization/day-spans.ts';

const range = {startDate: '2026-03-01', endDate: '2026-03-31'};
const days = daysIn(range);

test('spans contain every missing day once and no stored one, and are as long as possible', () => {
	fc.assert(
		fc.property(fc.uniqueArray(fc.constantFrom(...days)), kept => {
			const spans = missingSpans(range, new Set(kept));
			expect(spans.flatMap(daysIn)).toEqual(days.filter(day => !kept.includes(day)));
			for (const [index, {endDate}] of spans.entries())
				expect(spans[index + 1]?.startDate).not.toBe(addDays(endDate, 1));
		}),
	);
});

test('parts keep the days in order, and only a single day may exceed the maximum weight', () => {
	fc.assert(
		fc.property(
			fc.array(fc.nat(20), {minLength: days.length, maxLength: days.length}),
			fc.integer({min: 1, max: 60}),
			fc.uniqueArray(fc.constantFrom(...days), {maxLength: 5}),
			(weights, maxWeight, kept) => {
				const weightOf = (day: string) => weights[days.indexOf(day)] ?? 0;
				const spans = missingSpans(range, new Set(kept));
				const parts = cutByWeight(spans, weightOf, maxWeight);
				expect(parts.flatMap(daysIn)).toEqual(spans.flatMap(daysIn));
				for (const part of parts) {
					const weight = daysIn(part).reduce((sum, day) => sum + weightOf(day), 0);
					expect(weight <= maxWeight || daysIn(part).length === 1).toBe(true);
				}
			},
		),
	);
});

test("doesn't cut days without weight", () => {
	expect(cutByWeight([range], () => 0, 1)).toEqual([range]);
});

test('cuts a span in two', () => {
	expect(cutAfter(range, 10)).toEqual([
		{startDate: '2026-03-01', endDate: '2026-03-10'},
		{startDate: '2026-03-11', endDate: '2026-03-31'},
	]);
});
