import {pad} from '../cut.ts';
import {fitLine, type Line, span} from '../line.ts';
import {exactNumber} from '../numbers.ts';
import {type Safe, safe} from '../safe.ts';
import {textWidth} from '../width.ts';

/** One value of a chart and what it is called. Without a value it is unknown, and looks like nothing else does. */
export type ChartPoint = {readonly label: Safe; readonly value: number | undefined};

/** Several lines or layers of one chart, over the same labels. */
export type ChartSeries = {readonly label: Safe; readonly points: readonly ChartPoint[]};

/** What all charts can be told. `selected` is an index: its cell is inverse, and its exact value is the last line. */
export type ChartOptions = {
	readonly width: number;
	/** No characters but ASCII. */
	readonly isAscii?: boolean;
	readonly selected?: number | undefined;
	/** What a value counts, such as `credits`: said with the exact value. */
	readonly unit?: Safe;
};

/** The exact value of the selected point. */
export function readout({label, value}: ChartPoint, {width, unit}: ChartOptions): Line {
	if (value === undefined) return fitLine([span(label, 'dim'), span(safe`  unknown`, 'warn')], width);
	const told = unit ? safe`  ${exactNumber(value)} ${unit}` : safe`  ${exactNumber(value)}`;
	return fitLine([span(label, 'dim'), span(told, 'strong')], width);
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

/** The largest known value; 0 when none is above it. */
export function largestOf(values: Iterable<number | undefined>): number {
	let largest = 0;
	for (const value of values) if (value !== undefined && value > largest) largest = value;
	return largest;
}
