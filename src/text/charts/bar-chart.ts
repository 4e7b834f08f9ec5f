import {type Line, type Span, span, type Tone} from '../cells/line.ts';
import {stillSafe} from '../cells/safe.ts';
import {axisColumns, axisGutter, axisLabel, labelLine} from './axis.ts';
import {
	type AxisOptions,
	binPoints,
	type ChartOptions,
	type ChartPoint,
	type ChartSeries,
	type Combine,
	largestOf,
} from './chart-point.ts';
import {readout} from './describe.ts';
import {glyphsOf} from './glyphs.ts';
import {joinSpans, legendLines} from './legend.ts';

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
	const rows = Array.from({length: height}, (_, row): Line => {
		const floor = height - 1 - row;
		const cells = bins.points.map(({value}, column): Span => {
			const wide = (glyph: string) => stillSafe(glyph.repeat(columns.width(column)));
			const isBottom = floor === 0;
			if (value === undefined) return span(wide(isBottom ? glyphs.unknown : ' '), 'dim');
			const steps =
				value <= 0 || highest === 0 ? 0 : Math.max(1, Math.round((value / highest) * height * full));
			const inCell = Math.min(full, steps - floor * full);
			if (inCell > 0)
				return span(wide(glyphs.heights[inCell] ?? ' '), column === chosen ? 'strong' : 'accent');
			return span(wide(isBottom ? (glyphs.heights[0] ?? ' ') : ' '), 'dim');
		});
		return [axisLabel(row, height, highest), ...joinSpans(cells)];
	});
	const point = selected === undefined ? undefined : points[selected];
	const width = axisGutter + columns.start(bins.points.length);
	return [
		...rows,
		labelLine(points, axisGutter, width, {pointer: columns.pointer(bins, selected), share: bins.size}),
		...(point ? [readout(point, options)] : []),
	];
}

/**
 * A trend in one row: zero is on the floor, larger values rise from it, unknown is a gap mark. Negative
 * values count as zero. With a selected point, a second line gives its exact value.
 */
export function sparkline(
	points: readonly ChartPoint[],
	options: ChartOptions & {readonly combine: Combine},
): Line[] {
	const {heights, unknown} = glyphsOf(options.isAscii);
	const bins = binPoints(points, options.width, options.combine);
	const chosen = bins.columnOf(options.selected);
	const top = largestOf(bins.points.map(({value}) => value));
	const cells = bins.points.map(({value}, column): Span => {
		const look = column === chosen ? {inverse: true} : {};
		if (value === undefined) return span(stillSafe(unknown), 'dim', look);
		// Only zero gets the lowest level: any positive value rises visibly above it.
		const level = value <= 0 ? 0 : Math.max(1, Math.round((value / top) * (heights.length - 1)));
		return span(stillSafe(heights[level] ?? unknown), level === 0 ? 'dim' : 'accent', look);
	});
	const point = options.selected === undefined ? undefined : points[options.selected];
	return [joinSpans(cells), ...(point ? [readout(point, options)] : [])];
}

/** Colors of the layers, bottom up; their fills also distinguish them without color. */
const tones: readonly Tone[] = ['accent', 'good', 'warn', 'info', 'user', 'bad'];

/** Maximum number of distinguishable layers: merge the rest into one first. */
export const maxLayers = tones.length;

/**
 * Draws stacked layers, the first at the bottom. Values that share a column are summed, so use this for
 * credits or calls, never for users. A column without any known layer is unknown. Below: the legend, with the
 * exact values of the selected column.
 */
export function stackedBarChart(series: readonly ChartSeries[], options: AxisOptions): Line[] {
	const {height, selected, isAscii} = options;
	const glyphs = glyphsOf(isAscii);
	const columns = axisColumns(options);
	const layers = series.map(({points}) => columns.bins(points, 'sum'));
	const stacks = Array.from({length: layers[0]?.points.length ?? 0}, (_, column) =>
		layers.map(({points}) => points[column]?.value),
	);
	const top = largestOf(
		stacks.map(values => values.reduce<number>((all, value) => all + Math.max(0, value ?? 0), 0)),
	);
	const rows = Array.from({length: height}, (_, row): Line => {
		const floor = height - 1 - row;
		const cells = stacks.map((values, column): Span => {
			const wide = (glyph: string) => stillSafe(glyph.repeat(columns.width(column)));
			if (values.every(value => value === undefined))
				return span(wide(floor === 0 ? glyphs.unknown : ' '), 'dim');
			const layer =
				layerAt(values, ((floor + 0.5) / height) * top) ?? (floor === 0 ? largestAt(values) : undefined);
			if (layer === undefined) return span(wide(floor === 0 ? (glyphs.heights[0] ?? ' ') : ' '), 'dim');
			return span(wide(glyphs.fills[layer] ?? ' '), tones[layer]);
		});
		return [axisLabel(row, height, top), ...joinSpans(cells)];
	});
	const marks = series.map((_, index) => span(stillSafe(glyphs.fills[index] ?? ''), tones[index]));
	const width = axisGutter + columns.start(stacks.length);
	const pointer = layers[0] && columns.pointer(layers[0], selected);
	return [
		...rows,
		labelLine(series[0]?.points ?? [], axisGutter, width, {pointer, share: layers[0]?.size ?? 1}),
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
