import {pad} from '../cut.ts';
import {type Line, type Span, span} from '../line.ts';
import {shortNumber} from '../numbers.ts';
import {type Safe, safe} from '../safe.ts';
import {textWidth} from '../width.ts';
import type {ChartPoint} from './chart-point.ts';

/** Columns left of a chart, the same for every chart so that those above each other line up. */
export const axisGutter = 6;

/** What stands left of a row: the largest value at the top of `height` rows, zero at the bottom. */
export function axisLabel(row: number, height: number, top: number): Span {
	const text: Safe = row === height - 1 ? safe`0` : row === 0 ? shortNumber(top) : safe``;
	return span(safe`${pad(text, axisGutter - 1, 'end')} `, 'dim');
}

/** First and last label below a chart, at its edges. */
export function labelLine(points: readonly ChartPoint[], gutter: number, width: number): Line {
	const first = points[0]?.label ?? safe``;
	const last = points.at(-1)?.label ?? safe``;
	const room = Math.max(0, width - gutter);
	const columns = textWidth(first) + textWidth(last);
	if (points.length < 2 || columns + 1 > room)
		return [span(safe`${pad(safe``, gutter)}${pad(first, room)}`, 'dim')];
	const spaces = pad(safe``, room - columns);
	return [span(safe`${pad(safe``, gutter)}${first}${spaces}${last}`, 'dim')];
}
