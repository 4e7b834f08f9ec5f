import {type Line, type Span, span} from '../line.ts';
import {stillSafe} from '../safe.ts';
import {binPoints, type Combine} from './bins.ts';
import {type ChartOptions, type ChartPoint, largestOf} from './chart-point.ts';
import {glyphsOf} from './glyphs.ts';
import {joinSpans} from './join-spans.ts';
import {readout} from './readout.ts';

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
