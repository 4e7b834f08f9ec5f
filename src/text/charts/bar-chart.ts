import {type Line, type Span, span, type Tone} from '../cells/line.ts';
import {stillSafe} from '../cells/safe.ts';
import {type AxisColumns, axisColumns, joinSpans, legendLines, readout} from './axis.ts';
import {
	type AxisOptions,
	binPoints,
	type ChartOptions,
	type ChartPoint,
	type ChartSeries,
	type Combine,
	largestOf,
} from './chart-point.ts';
import {type Glyphs, glyphsOf} from './glyphs.ts';

/**
 * Draws one bar per point, `height` rows tall, with the largest value beside it, the first and last label
 * below, and the exact value of the selected point as the last line.
 */
export function barChart(
	points: readonly ChartPoint[],
	options: AxisOptions & {readonly combine: Combine},
): Line[] {
	const {height, combine, selected, isAscii} = options;
	const glyphs = glyphsOf(isAscii);
	const columns = axisColumns(options);
	const bins = columns.bins(points, combine);
	const highest = largestOf(bins.points.map(({value}) => value));
	const chosen = bins.columnOf(selected);
	const full = glyphs.heights.length - 1;
	const rows = barRows(bins.points.length, height, columns, glyphs, (column, floor) => {
		const value = bins.points[column]?.value;
		if (value === undefined) return 'unknown';
		const steps =
			value <= 0 || highest === 0 ? 0 : Math.max(1, Math.round((value / highest) * height * full));
		const glyph = glyphs.heights[Math.min(full, steps - floor * full)];
		return steps > floor * full && glyph ? [glyph, column === chosen ? 'strong' : 'accent'] : 'nothing';
	});
	const point = selected === undefined ? undefined : points[selected];
	return [...columns.frame(rows, highest, points, bins), ...(point ? [readout(point, options)] : [])];
}

/** A cell of a bar, or of a column without one: only zero and unknown have a mark on the floor. */
type BarCell = readonly [glyph: string, tone: Tone | undefined, background?: Tone] | 'unknown' | 'nothing';

/** Rows of bars. `cellAt` counts `floor` from the bottom row. */
function barRows(
	count: number,
	height: number,
	columns: AxisColumns,
	glyphs: Glyphs,
	cellAt: (column: number, floor: number) => BarCell,
): Span[][] {
	const onFloor = {unknown: glyphs.unknown, nothing: glyphs.heights[0] ?? ' '};
	return Array.from({length: height}, (_, row) =>
		Array.from({length: count}, (_, column): Span[] => {
			const floor = height - 1 - row;
			const cell = cellAt(column, floor);
			const [glyph, tone, background] =
				typeof cell === 'string' ? [floor === 0 ? onFloor[cell] : ' ', 'dim' as const] : cell;
			const bar = columns.barWidth(column);
			const rest = columns.width(column) - bar;
			return [
				span(stillSafe(glyph.repeat(bar)), tone, background && {background}),
				span(stillSafe(' '.repeat(rest))),
			];
		}).flat(),
	);
}

/**
 * A trend in one row: zero is on the floor, larger values rise from it, unknown is a gap mark. Negative
 * values count as zero.
 */
export function sparkline(
	points: readonly ChartPoint[],
	{width, combine, isAscii}: ChartOptions & {readonly combine: Combine},
): Line {
	const {unknown, ...glyphs} = glyphsOf(isAscii);
	// No full cell: trends in rows below each other must not touch.
	const heights = glyphs.heights.slice(0, -1);
	const bins = binPoints(points, width, combine);
	const top = largestOf(bins.points.map(({value}) => value));
	const cells = bins.points.map(({value}): Span => {
		if (value === undefined) return span(stillSafe(unknown), 'dim');
		// Only zero gets the lowest level: any positive value rises visibly above it.
		const level = value <= 0 ? 0 : Math.max(1, Math.round((value / top) * (heights.length - 1)));
		return span(stillSafe(heights[level] ?? unknown), level === 0 ? 'dim' : 'accent');
	});
	return joinSpans(cells);
}

/**
 * Colors of the layers, bottom up; where cells are whole, their fills also distinguish them without color. Merge
 * further layers into one first.
 */
const tones: readonly Tone[] = ['accent', 'good', 'warn', 'info', 'user', 'bad'];

/**
 * Draws stacked layers, the first at the bottom. Values that share a column are summed, so use this for
 * credits or calls, never for users. A column without any known layer is unknown. Below: the legend, with the
 * exact values of the selected column.
 *
 * With half cells, a cell can show two layers: one as the color of its glyph, one as its background.
 */
export function stackedBarChart(series: readonly ChartSeries[], options: AxisOptions): Line[] {
	const {height, isAscii, hasHalfCells = false} = options;
	const glyphs = glyphsOf(isAscii);
	const columns = axisColumns(options);
	const points = series[0]?.points ?? [];
	const bins = columns.bins(points, 'sum');
	const layers = series.map(layer => columns.bins(layer.points, 'sum').points);
	const stacks = bins.points.map((_, column) => layers.map(layer => layer[column]?.value));
	const top = largestOf(
		stacks.map(values => values.reduce<number>((all, value) => all + Math.max(0, value ?? 0), 0)),
	);
	const perCell = hasHalfCells ? 2 : 1;
	// Beside solid halves, patterns would look like layers of their own.
	const fillOf = (layer: number) => (hasHalfCells ? glyphs.fills[0] : glyphs.fills[layer]) ?? ' ';
	const steps = stacks.map(values => layerSteps(values, top, height * perCell));
	const rows = barRows(stacks.length, height, columns, glyphs, (column, floor) => {
		if (stacks[column]?.every(value => value === undefined)) return 'unknown';
		const lower = steps[column]?.[floor * perCell];
		const upper = steps[column]?.[floor * perCell + perCell - 1];
		if (lower === undefined) return 'nothing';
		if (lower === upper) return [fillOf(lower), tones[lower]];
		return [glyphs.lowerHalf, tones[lower], upper === undefined ? undefined : tones[upper]];
	});
	const marks = series.map((_, index) => span(stillSafe(fillOf(index)), tones[index]));
	return [
		...columns.frame(rows, top, points, bins),
		...legendLines(series, marks, {...options, isSum: true}),
	];
}

/**
 * The layer of each step of a stack, from the bottom; `maxSteps` represent a value of `top`. No layer and no stack is
 * off by more than a step, and a stack above zero has one.
 */
function layerSteps(values: readonly (number | undefined)[], top: number, maxSteps: number): number[] {
	const layers = values
		.map((value = 0, layer) => {
			const exact = value > 0 ? (value / top) * maxSteps : 0;
			return {layer, value, exact, steps: Math.floor(exact + rounding)};
		})
		// The largest first: sizes that differ by a rounding error may have the same number of steps.
		.sort((a, b) => b.value - a.value);
	const total = layers.reduce((sum, {exact}) => sum + exact, 0);
	if (!(total > 0)) return [];
	const missing = Math.max(1, Math.round(total)) - layers.reduce((sum, {steps}) => sum + steps, 0);
	const byRest = layers.toSorted((a, b) => b.exact - b.steps - (a.exact - a.steps));
	for (const one of byRest.slice(0, Math.max(0, missing))) one.steps++;
	return layers
		.sort((a, b) => a.layer - b.layer)
		.flatMap(({layer, steps}) => Array.from({length: steps}, () => layer));
}

/** Absorbs floating-point rounding errors. */
const rounding = 1e-9;
