import {type Line, type Span, span, type Tone} from '../cells/line.ts';
import {stillSafe} from '../cells/safe.ts';
import {type AxisColumns, axisColumns, joinSpans} from './axis.ts';
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
import {legendLines, readout} from './legend.ts';

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
type BarCell = readonly [glyph: string, tone: Tone | undefined] | 'unknown' | 'nothing';

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
		Array.from({length: count}, (_, column): Span => {
			const floor = height - 1 - row;
			const cell = cellAt(column, floor);
			const [glyph, tone] =
				typeof cell === 'string' ? [floor === 0 ? onFloor[cell] : ' ', 'dim' as const] : cell;
			return span(stillSafe(glyph.repeat(columns.width(column))), tone);
		}),
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
	const {heights, unknown} = glyphsOf(isAscii);
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
 * Colors of the layers, bottom up; their fills also distinguish them without color. Merge further layers into
 * one first.
 */
const tones: readonly Tone[] = ['accent', 'good', 'warn', 'info', 'user', 'bad'];

/**
 * Draws stacked layers, the first at the bottom. Values that share a column are summed, so use this for
 * credits or calls, never for users. A column without any known layer is unknown. Below: the legend, with the
 * exact values of the selected column.
 */
export function stackedBarChart(series: readonly ChartSeries[], options: AxisOptions): Line[] {
	const {height, isAscii} = options;
	const glyphs = glyphsOf(isAscii);
	const columns = axisColumns(options);
	const points = series[0]?.points ?? [];
	const bins = columns.bins(points, 'sum');
	const layers = series.map(layer => columns.bins(layer.points, 'sum').points);
	const stacks = bins.points.map((_, column) => layers.map(layer => layer[column]?.value));
	const top = largestOf(
		stacks.map(values => values.reduce<number>((all, value) => all + Math.max(0, value ?? 0), 0)),
	);
	const rows = barRows(stacks.length, height, columns, glyphs, (column, floor) => {
		const values = stacks[column] ?? [];
		if (values.every(value => value === undefined)) return 'unknown';
		const layer =
			layerAt(values, ((floor + 0.5) / height) * top) ?? (floor === 0 ? largestAt(values) : undefined);
		return layer === undefined ? 'nothing' : [glyphs.fills[layer] ?? ' ', tones[layer]];
	});
	const marks = series.map((_, index) => span(stillSafe(glyphs.fills[index] ?? ''), tones[index]));
	return [
		...columns.frame(rows, top, points, bins),
		...legendLines(series, marks, {...options, isSum: true}),
	];
}

/**
 * The largest layer. It's drawn when all layers together are less than a row, as only zero may look empty.
 */
function largestAt(values: readonly (number | undefined)[]): number | undefined {
	const largest = largestOf(values);
	return largest > 0 ? values.indexOf(largest) : undefined;
}

/** The layer at a height; undefined above the last. */
function layerAt(values: readonly (number | undefined)[], height: number): number | undefined {
	let below = 0;
	for (const [index, value] of values.entries()) {
		below += Math.max(0, value ?? 0);
		if (height < below) return index;
	}
	return undefined;
}
