import {safe} from '../cells/safe.ts';
import type {ChartPoint} from './chart-point.ts';

/**
 * How the values in one column are combined. There is no default: credits can be summed, active users can't,
 * and a mean of percentiles is meaningless.
 */
export type Combine = 'sum' | 'mean' | 'largest' | 'last';

export type Bins = {
	readonly points: readonly ChartPoint[];
	/** Maximum number of points per column. */
	readonly size: number;
	/** The column that contains a point. */
	columnOf(index: number | undefined): number | undefined;
};

/**
 * Bins points into at most `columns` columns; neighbors share a column if there are more points. A column
 * without any known value is unknown.
 */
export function binPoints(points: readonly ChartPoint[], columns: number, combine: Combine): Bins {
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
		bins.push({label: part.length > 1 ? safe`${first} to ${last}` : first, value: join(values, combine)});
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
		case 'largest':
			return values.reduce((a, b) => Math.max(a, b));
		case 'last':
			return values.at(-1);
	}
}
