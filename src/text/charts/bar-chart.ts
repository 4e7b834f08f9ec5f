import {type Line, type Span, span} from '../line.ts';
import {stillSafe} from '../safe.ts';
import {axisGutter, axisLabel, labelLine} from './axis.ts';
import {binPoints, type Combine} from './bins.ts';
import {type ChartOptions, type ChartPoint, largestOf} from './chart-point.ts';
import {glyphsOf} from './glyphs.ts';
import {joinSpans} from './join-spans.ts';
import {readout} from './readout.ts';

/**
 * A column for every point, `height` rows tall, with the largest value beside it, the first and last label below, and
 * the exact value of the selected point as the last line.
 */
export function barChart(
	points: readonly ChartPoint[],
	options: ChartOptions & {readonly combine: Combine; readonly height: number},
): Line[] {
	const {width, height, combine, selected, isAscii} = options;
	const glyphs = glyphsOf(isAscii);
	const bins = binPoints(points, width - axisGutter, combine);
	const highest = largestOf(bins.points.map(({value}) => value));
	const chosen = bins.columnOf(selected);
	const full = glyphs.heights.length - 1;
	const rows = Array.from({length: height}, (_, row): Line => {
		const floor = height - 1 - row;
		const cells = bins.points.map(({value}, column): Span => {
			const look = column === chosen ? {inverse: true} : {};
			const isBottom = floor === 0;
			if (value === undefined) return span(stillSafe(isBottom ? glyphs.unknown : ' '), 'dim', look);
			const steps =
				value <= 0 || highest === 0 ? 0 : Math.max(1, Math.round((value / highest) * height * full));
			const inCell = Math.min(full, steps - floor * full);
			if (inCell > 0) return span(stillSafe(glyphs.heights[inCell] ?? ' '), 'accent', look);
			return span(stillSafe(isBottom ? (glyphs.heights[0] ?? ' ') : ' '), 'dim', look);
		});
		return [axisLabel(row, height, highest), ...joinSpans(cells)];
	});
	const point = selected === undefined ? undefined : points[selected];
	return [
		...rows,
		labelLine(points, axisGutter, axisGutter + bins.points.length),
		...(point ? [readout(point, options)] : []),
	];
}
