import {type Line, type Span, span} from '../cells/line.ts';
import {stillSafe} from '../cells/safe.ts';
import {axisColumns, axisGutter, axisLabel, labelLine} from './axis.ts';
import {binPoints, type Combine} from './bins.ts';
import {type AxisOptions, type ChartOptions, type ChartPoint, largestOf} from './chart-point.ts';
import {readout} from './describe.ts';
import {glyphsOf} from './glyphs.ts';
import {joinSpans} from './legend.ts';

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
