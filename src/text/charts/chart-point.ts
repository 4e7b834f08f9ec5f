import type {Safe} from '../cells/safe.ts';

/** A chart value and its label. An undefined value is unknown and has a mark of its own. */
export type ChartPoint = {readonly label: Safe; readonly value: number | undefined};

/** One line or layer of a chart; all of them share the same labels. */
export type ChartSeries = {readonly label: Safe; readonly points: readonly ChartPoint[]};

/**
 * Options of every chart. `selected` is an index: its column gets a pointer, and its exact value is shown
 * below.
 */
export type ChartOptions = {
	readonly width: number;
	/** Draw with ASCII only. */
	readonly isAscii?: boolean;
	readonly selected?: number | undefined;
	/** The unit of the values, such as `credits`, shown with the exact value. */
	readonly unit?: Safe;
};

/** Options of charts with an axis. */
export type AxisOptions = ChartOptions & {
	/** Rows of the plot, without labels and legend. */
	readonly height: number;
	/** Columns per point, at least 1 (see `columnsPerPoint`), so that a few points fill a wide screen. */
	readonly pointWidth?: number;
};

/** The largest known value; 0 if none is positive. */
export function largestOf(values: Iterable<number | undefined>): number {
	let largest = 0;
	for (const value of values) if (value !== undefined && value > largest) largest = value;
	return largest;
}
