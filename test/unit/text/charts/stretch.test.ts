import {expect, test} from 'vitest';
import {barChart} from '../../../../src/text/charts/bar-chart.ts';
import {lineChart} from '../../../../src/text/charts/line-chart.ts';
import {stretchChart, stretchOf} from '../../../../src/text/charts/stretch.ts';
import {cleanLine} from '../../../../src/text/clean.ts';
import {lineText, lineWidth} from '../../../../src/text/line.ts';

const points = [1, undefined, 4].map((value, index) => ({label: cleanLine(`d${index}`), value}));

test('every column is as wide, unknown days too; what stands below stays', () => {
	const chart = barChart(points, {width: 40, height: 2, combine: 'sum', selected: 2});
	const wide = stretchChart(chart, points, {height: 2, factor: 3});
	expect(wide).toHaveLength(chart.length);
	expect(lineText(wide[1] ?? [])).toMatch(/^ +0 ▅▅▅┄┄┄███$/);
	expect(lineText(wide[2] ?? [])).toMatch(/^ {6}d0 {5}d2$/);
	expect(wide.at(-1)).toEqual(chart.at(-1));
});

test('a mark of a line stays one mark', () => {
	const chart = lineChart([{label: cleanLine('x'), points}], {width: 40, height: 3, combine: 'last'});
	const wide = stretchChart(chart, points, {height: 3, factor: 4, isFilled: false});
	const marks = (lines: typeof chart) =>
		lines.slice(0, 3).map(line => lineText(line).match(/●/g)?.length ?? 0);
	expect(marks(wide)).toEqual(marks(chart));
	expect(marks(wide).reduce((a, b) => a + b)).toBe(2);
	expect(wide.slice(0, 3).every(line => lineWidth(line) === 6 + 3 * 4)).toBe(true);
});

test('it never goes beyond the width, and not at all when there is no room', () => {
	for (const width of [10, 40, 120, 200])
		for (const count of [0, 1, 7, 28, 90, 300]) {
			const factor = stretchOf(count, width);
			expect(factor).toBeGreaterThanOrEqual(1);
			if (factor > 1) expect(6 + count * factor).toBeLessThanOrEqual(width);
		}
});
