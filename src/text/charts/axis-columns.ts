import {axisGutter, type Pointer} from './axis.ts';
import {type Bins, binPoints, type Combine} from './bins.ts';
import type {AxisOptions, ChartPoint} from './chart-point.ts';
import {glyphsOf} from './glyphs.ts';

/** Layout of a chart's points in columns, counted from the end of the gutter. */
export type AxisColumns = {
	/** Bins one series; neighbors share a column if there are more points than fit. */
	bins(points: readonly ChartPoint[], combine: Combine): Bins;
	/** First column of a point. For the index after the last point: the number of columns. */
	start(index: number): number;
	/** Columns of a point: some points are one column wider, to fill the width. */
	width(index: number): number;
	middle(index: number): number;
	/** The pointer to the selected point. */
	pointer(bins: Bins, selected: number | undefined): Pointer | undefined;
};

export function axisColumns({width, pointWidth = 1, isAscii}: AxisOptions): AxisColumns {
	// Absorbs floating-point rounding errors.
	const start = (index: number) => Math.floor(index * pointWidth + 1e-9);
	const widthOf = (index: number) => start(index + 1) - start(index);
	const middle = (index: number) => start(index) + Math.floor((widthOf(index) - 1) / 2);
	return {
		bins: (points, combine) =>
			binPoints(points, Math.floor((width - axisGutter) / pointWidth + 1e-9), combine),
		start,
		width: widthOf,
		middle,
		pointer(bins, selected) {
			const chosen = bins.columnOf(selected);
			if (chosen === undefined) return undefined;
			return {
				column: middle(chosen),
				glyph: glyphsOf(isAscii).pointer,
				isFirst: chosen === 0,
				isLast: chosen === bins.points.length - 1,
			};
		},
	};
}
