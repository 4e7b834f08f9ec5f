import {type Safe, safe} from '../cells/safe.ts';

/** A chart value and its label. An undefined value is unknown and has a mark of its own. */
export type ChartPoint = {
	readonly label: Safe;
	readonly value: number | undefined;
	/** Whether there is a tick below it. */
	readonly hasTick?: boolean;
};

/** One line or layer of a chart; all of them share the same labels. */
export type ChartSeries = {readonly label: Safe; readonly points: readonly ChartPoint[]};

/** Options of every chart. `selected` is an index: its column gets a pointer, and its exact value is shown below. */
export type ChartOptions = {
	readonly width: number;
	readonly isAscii?: boolean;
	/** Whether glyph and background can differ in color, so that half a cell can be drawn. Default: false. */
	readonly hasHalfCells?: boolean;
	readonly selected?: number | undefined;
	/** The unit of the values, such as `credits`, shown with the exact value. */
	readonly unit?: Safe;
	/** What a sum costs, shown behind it. */
	readonly costOf?: ((sum: number) => Safe) | undefined;
};

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

/**
 * How the values in one column are combined. There is no default: credits can be summed, active users can't,
 * and a mean of percentiles is meaningless.
 */
export type Combine = 'sum' | 'mean' | 'last';

export type Bins = ReturnType<typeof binPoints>;

/**
 * Bins points into at most `columns` columns; neighbors share a column if there are more points. A column
 * without any known value is unknown.
 */
export function binPoints(points: readonly ChartPoint[], columns: number, combine: Combine) {
	/** Maximum number of points per column. */
	const size = Math.max(1, Math.ceil(points.length / Math.max(1, columns)));
	const columnOf = (index: number | undefined) =>
		index === undefined || index < 0 || index >= points.length ? undefined : Math.floor(index / size);
	if (size === 1) return {points, size, columnOf};
	const bins: ChartPoint[] = [];
	for (let from = 0; from < points.length; from += size) {
		const part = points.slice(from, from + size);
		const first = part[0]?.label ?? safe``;
		const last = part.at(-1)?.label ?? safe``;
		const values = part.flatMap(({value}) => (value === undefined ? [] : [value]));
		bins.push({
			label: part.length > 1 ? safe`${first} to ${last}` : first,
			value: join(values, combine),
			hasTick: part.some(({hasTick}) => hasTick),
		});
	}
	return {points: bins, size, columnOf};
}

function join(values: readonly number[], combine: Combine): number | undefined {
	if (values.length === 0) return undefined;
	switch (combine) {
		case 'sum':
			return values.reduce((a, b) => a + b);
		case 'mean':
			return values.reduce((a, b) => a + b) / values.length;
		case 'last':
			return values.at(-1);
	}
}
