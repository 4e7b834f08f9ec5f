import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cleanLine} from '../../../../src/text/cells/clean.ts';
import type {Line, Tone} from '../../../../src/text/cells/line.ts';
import {axisGutter} from '../../../../src/text/charts/axis.ts';
import {barChart, stackedBarChart} from '../../../../src/text/charts/bar-chart.ts';
import {barList} from '../../../../src/text/charts/bar-list.ts';
import type {ChartPoint} from '../../../../src/text/charts/chart-point.ts';

/** What a reader of the screen sees: which share of a column has which color, in cells. */
type Seen = ReadonlyMap<Tone | undefined, number>;

const fills = ['█', '▒', '░', '▓', '╫', '╪'];
const ascii = ['#', '=', ':', '%', '+', 'o'];
const tones: readonly Tone[] = ['accent', 'good', 'warn', 'info', 'user', 'bad'];

/** The cells of the plot, by row. */
function cellsOf(lines: readonly Line[], height: number) {
	return lines
		.slice(0, height)
		.map(line =>
			line
				.flatMap(({text, tone, background}) => [...text].map(glyph => ({glyph, tone, background})))
				.slice(axisGutter),
		);
}

function columnSeen(lines: readonly Line[], height: number, column: number): Seen {
	const seen = new Map<Tone | undefined, number>();
	const add = (tone: Tone | undefined, cells: number) => seen.set(tone, (seen.get(tone) ?? 0) + cells);
	for (const row of cellsOf(lines, height)) {
		const {glyph = ' ', tone, background} = row[column] ?? {};
		if (fills.includes(glyph) || ascii.includes(glyph)) add(tone, 1);
		else if (glyph === '▄') {
			add(tone, 0.5);
			if (background) add(background, 0.5);
		}
	}
	return seen;
}

const pointsOf = (values: readonly number[]): ChartPoint[] =>
	values.map((value, index) => ({label: cleanLine(`d${index}`), value}));

/** Values as organizations have them: some zero, some tiny beside others, some all alike. */
const amount = fc.oneof(
	fc.constant(0),
	fc.nat(9),
	fc.nat(1000),
	fc.double({min: 0.001, max: 1e9, noNaN: true}),
);

const alikeButForRounding = [
	[0.0010000000000000024, 0.0010000000000000026, 0, 0, 0, 0],
	[934, 0, 8491.52464150353, 0, 0, 0.001],
];

test.each([
	{name: 'half cells', hasHalfCells: true, isAscii: false, step: 0.5},
	{name: 'whole cells', hasHalfCells: false, isAscii: false, step: 1},
	{name: 'ASCII', hasHalfCells: false, isAscii: true, step: 1},
])('draws the layers of a stack as large as their data ($name)', ({step, ...options}) => {
	const data = fc.record({
		days: fc.array(fc.array(amount, {minLength: 6, maxLength: 6}), {minLength: 1, maxLength: 12}),
		layers: fc.integer({min: 1, max: 6}),
		height: fc.integer({min: 3, max: 15}),
	});
	fc.assert(
		fc.property(data, ({days, layers, height}) => {
			const series = Array.from({length: layers}, (_, layer) => ({
				label: cleanLine(`m${layer}`),
				points: pointsOf(days.map(values => values[layer] ?? 0)),
			}));
			const lines = stackedBarChart(series, {width: 40, height, ...options});
			const stacks = days.map(values => values.slice(0, layers));
			const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
			const top = Math.max(...stacks.map(sumOf));
			for (const [column, values] of stacks.entries()) {
				const seen = columnSeen(lines, height, column);
				const exact = values.map(value => (top === 0 ? 0 : (value / top) * height));
				const drawn = values.map((_, layer) => seen.get(tones[layer]) ?? 0);
				for (const [layer, cells] of drawn.entries())
					expect(Math.abs(cells - (exact[layer] ?? 0))).toBeLessThanOrEqual(step + 1e-6);
				expect(Math.abs(sumOf(drawn) - sumOf(exact))).toBeLessThanOrEqual(step + 1e-6);
				// Only nothing looks like nothing; where there is room for one layer only, it is the largest.
				expect(sumOf(drawn) > 0).toBe(sumOf(values) > 0);
				if (sumOf(drawn) === step)
					expect(values[drawn.findIndex(cells => cells > 0)]).toBe(Math.max(...values));
				// A larger layer never looks smaller than another.
				for (const [a, first] of values.entries())
					for (const [b, second] of values.entries())
						if (first > second) expect(drawn[a]).toBeGreaterThanOrEqual(drawn[b] ?? 0);
			}
		}),
		{numRuns: 200, examples: [[{days: alikeButForRounding, layers: 3, height: 3}]]},
	);
});

test('draws bars as high, and ranked bars as long, as their data', () => {
	const eighths = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
	fc.assert(
		fc.property(
			fc.array(amount, {minLength: 1, maxLength: 20}),
			fc.integer({min: 3, max: 15}),
			(values, height) => {
				const top = Math.max(...values);
				const rows = cellsOf(barChart(pointsOf(values), {width: 40, height, combine: 'sum'}), height);
				const ranked = barList(
					values.map((value, index) => ({label: cleanLine(`d${index}`), value})),
					{width: 60},
				);
				const longest = Math.max(...ranked.map(barLength));
				for (const [column, value] of values.entries()) {
					// The lowest glyph stands for zero, so a cell has seven steps.
					const steps = rows.map(row => Math.max(0, eighths.indexOf(row[column]?.glyph ?? '')));
					const drawn = steps.reduce((sum, step) => sum + step / 7, 0);
					const share = top === 0 ? 0 : value / top;
					expect(Math.abs(drawn - share * height)).toBeLessThanOrEqual(0.5);
					expect(drawn > 0).toBe(value > 0);
					const length = ranked[column] ? barLength(ranked[column]) : 0;
					expect(Math.abs(length - share * longest)).toBeLessThanOrEqual(0.5 + 1e-6);
				}
			},
		),
		{numRuns: 200},
	);
});

/** The length of a ranked bar, in cells. */
function barLength(line: Line): number {
	const glyphs = [...line.map(({text}) => text).join('')];
	return glyphs.filter(glyph => glyph === '━').length + glyphs.filter(glyph => glyph === '╸').length / 2;
}
