import {axisGutter, type Pointer} from './axis.ts';
import {type Bins, binPoints, type Combine} from './bins.ts';
import type {AxisOptions, ChartPoint} from './chart-point.ts';
import {glyphsOf} from './glyphs.ts';

/** How the points of a chart with an axis lie in its columns, which count from the gutter. */
export type AxisColumns = {
	/** Points of one list as they lie there, neighbours joined when there are more than fit. */
	bins(points: readonly ChartPoint[], combine: Combine): Bins;
	/** First column of a point, and so of what comes after the last one the number of columns. */
	start(index: number): number;
	/** Columns of a point: some are one wider than others where that fills the width. */
	width(index: number): number;
	middle(index: number): number;
	/** What points at the selected point. */
	pointer(bins: Bins, selected: number | undefined): Pointer | undefined;
};

export function axisColumns({width, pointWidth = 1, isAscii}: AxisOptions): AxisColumns {
	// What dividing floating numbers leaves over is no column.
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
