import type {Line} from '../line.ts';
import {stillSafe} from '../safe.ts';
import {axisGutter, labelLine} from './axis.ts';
import type {ChartPoint} from './chart-point.ts';

const widest = 6;

/** How many columns a point of a chart may have in `width` columns, at most six. */
export function stretchOf(points: number, width: number): number {
	return Math.max(1, Math.min(widest, Math.floor((width - axisGutter) / Math.max(1, points))));
}

/**
 * A chart with an axis of which every column is `factor` columns wide, so that a few days fill a wide screen. `height`
 * is the chart's own: the line below it holds the labels, and what follows stays as it is. Not filled, a mark stays one
 * mark with room after it.
 */
export function stretchChart(
	lines: readonly Line[],
	points: readonly ChartPoint[],
	{
		height,
		factor,
		isFilled = true,
	}: {readonly height: number; readonly factor: number; readonly isFilled?: boolean},
): Line[] {
	if (factor === 1) return [...lines];
	const wide = lines.slice(0, height).map(
		([label, ...cells]): Line => [
			...(label ? [label] : []),
			...cells.map(cell => ({
				...cell,
				text: stillSafe(
					Array.from(cell.text, glyph => (isFilled ? glyph.repeat(factor) : glyph.padEnd(factor))).join(''),
				),
			})),
		],
	);
	return [
		...wide,
		labelLine(points, axisGutter, axisGutter + points.length * factor),
		...lines.slice(height + 1),
	];
}
