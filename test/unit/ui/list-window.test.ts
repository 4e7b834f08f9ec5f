import fc from 'fast-check';
import {expect, test} from 'vitest';
import {clampTop, listTop} from '../../../src/ui/kit/scroll.ts';

const list = fc.record({
	heights: fc.array(fc.integer({min: 1, max: 2}), {minLength: 1, maxLength: 40}),
	top: fc.nat(60),
	index: fc.nat(60),
	height: fc.integer({min: 2, max: 15}),
});

const linesOf = (heights: readonly number[]) => heights.reduce((sum, height) => sum + height, 0);

test('the item is whole in the window, and the window is full or at the top, whatever the heights', () => {
	fc.assert(
		fc.property(list, ({heights, top, index, height}) => {
			const wanted = Math.min(index, heights.length - 1);
			const first = listTop(top, wanted, height, heights.length, at => heights[at] ?? Number.NaN);
			expect(first).toBeLessThanOrEqual(wanted);
			expect(linesOf(heights.slice(first, wanted + 1))).toBeLessThanOrEqual(height);
			// One item more from above would not fit.
			if (first > 0) expect(linesOf(heights.slice(first - 1))).toBeGreaterThan(height);
		}),
	);
});

test('a window that shows the item stays in place', () => {
	fc.assert(
		fc.property(list, ({heights, top, index, height}) => {
			const heightAt = (at: number) => heights[at] ?? Number.NaN;
			const first = clampTop(top, height, heights.length, heightAt);
			const shown = linesOf(heights.slice(first, index + 1)) <= height;
			if (index >= first && index < heights.length && shown)
				expect(listTop(first, index, height, heights.length, heightAt)).toBe(first);
		}),
	);
});

test('an empty list and one that got shorter still have a first item', () => {
	expect(listTop(5, 9, 4, 0)).toBe(0);
	expect(listTop(5, 9, 4, 3)).toBe(0);
	expect(listTop(9, 9, 2, 5)).toBe(3);
});
