import {fitLine, type Line, type Span, span} from '../line.ts';
import {shortNumber} from '../numbers.ts';
import {type Safe, stillSafe} from '../safe.ts';
import {labelLine} from './axis.ts';
import {glyphsOf} from './glyphs.ts';
import {joinSpans} from './join-spans.ts';

export type HeatMapOptions = {
	/** Columns of the screen at most. */
	readonly width: number;
	/** The largest value of all rows, seen or not: what every shade is a part of. */
	readonly top: number;
	/** The column whose cells are marked; it is always among those that are seen. */
	readonly selected?: number | undefined;
	/** No characters but ASCII. */
	readonly isAscii?: boolean;
};

/** Rows by columns, such as users by days. Rows are drawn one by one: those of a long list only when they are seen. */
export type HeatMap = {
	/** Columns of the screen that a row takes. */
	readonly width: number;
	/** First and last column that are seen, at their places. */
	readonly labels: Line;
	/** A shade for every cell; `valueAt` is asked for the columns that are seen. */
	row(valueAt: (column: number) => number | undefined): Line;
	/** What the shades stand for. */
	readonly legend: Line;
};

/**
 * A shade says how much of the largest value a cell holds, in four steps; zero and unknown have marks of their own. When
 * not all columns fit, the window ends at the last one or at the selected one.
 */
export function createHeatMap(
	columns: readonly Safe[],
	{width: room, top, selected, isAscii}: HeatMapOptions,
): HeatMap {
	const glyphs = glyphsOf(isAscii);
	const width = Math.max(1, Math.min(room, columns.length));
	const newest = columns.length - width;
	const start = selected !== undefined && selected < newest ? Math.max(0, selected + 1 - width) : newest;
	const shown = columns.slice(start, start + width);

	function cell(value: number | undefined, isSelected: boolean): Span {
		const look = isSelected ? {inverse: true} : {};
		if (value === undefined) return span(stillSafe(glyphs.unknown), 'dim', look);
		if (value <= 0 || top <= 0) return span(stillSafe(glyphs.zero), 'dim', look);
		const steps = glyphs.shades.length;
		const step = Math.min(steps, Math.max(1, Math.ceil((value / top) * steps)));
		return span(stillSafe(glyphs.shades[step - 1] ?? glyphs.zero), 'accent', look);
	}

	return {
		width,
		labels: fitLine(
			labelLine(
				shown.map(label => ({label, value: undefined})),
				0,
				width,
			),
			width,
		),
		row: valueAt =>
			joinSpans(shown.map((_, index) => cell(valueAt(start + index), start + index === selected))),
		legend: [span(stillSafe(legendText(top, isAscii)), 'dim')],
	};
}

function legendText(top: number, isAscii: boolean | undefined): string {
	const {shades, zero, unknown} = glyphsOf(isAscii);
	const steps = shades.map((shade, index) => {
		const upTo = shortNumber((top * (index + 1)) / shades.length);
		return `  ${shade} to ${upTo}`;
	});
	return `${zero} 0${top > 0 ? steps.join('') : ''}  ${unknown} unknown`;
}
