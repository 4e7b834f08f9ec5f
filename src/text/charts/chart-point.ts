import type {Safe} from '../safe.ts';

/** One value of a chart and what it is called. Without a value it is unknown, and looks like nothing else does. */
export type ChartPoint = {readonly label: Safe; readonly value: number | undefined};

/** Several lines or layers of one chart, over the same labels. */
export type ChartSeries = {readonly label: Safe; readonly points: readonly ChartPoint[]};

/** What all charts can be told. `selected` is an index: its column is pointed at, and its exact value is told below. */
export type ChartOptions = {
	readonly width: number;
	/** No characters but ASCII. */
	readonly isAscii?: boolean;
	readonly selected?: number | undefined;
	/** What a value counts, such as `credits`: said with the exact value. */
	readonly unit?: Safe;
};

/** Of charts with an axis. */
export type AxisOptions = ChartOptions & {
	/** Rows of the chart itself. */
	readonly height: number;
	/** Columns of a point, at least 1 (see `columnsPerPoint`): so that a few points fill a wide screen. */
	readonly pointWidth?: number;
};

/** The largest known value; 0 when none is above it. */
export function largestOf(values: Iterable<number | undefined>): number {
	let largest = 0;
	for (const value of values) if (value !== undefined && value > largest) largest = value;
	return largest;
}
