import {fitLine, type Line, span} from '../line.ts';
import {shortNumber} from '../numbers.ts';
import {type Safe, stillSafe} from '../safe.ts';
import {labelLine} from './axis.ts';
import {glyphsOf} from './glyphs.ts';

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

	function glyphOf(value: number | undefined): string {
		if (value === undefined) return glyphs.unknown;
		if (value <= 0 || top <= 0) return glyphs.zero;
		const steps = glyphs.shades.length;
		const step = Math.min(steps, Math.max(1, Math.ceil((value / top) * steps)));
		return glyphs.shades[step - 1] ?? glyphs.zero;
	}

	/** All in one colour, since shapes tell them apart: colours that change with each cell are most of a frame's cost. */
	function cells(valueAt: (column: number) => number | undefined, from: number, to: number): Safe {
		let text = '';
		for (let column = from; column < to; column++) text += glyphOf(valueAt(column));
		return stillSafe(text);
	}

	const end = start + shown.length;
	const marked = selected !== undefined && selected >= start && selected < end ? selected : end;

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
			[
				span(cells(valueAt, start, marked), 'accent'),
				span(cells(valueAt, marked, Math.min(end, marked + 1)), 'accent', {inverse: true}),
				span(cells(valueAt, Math.min(end, marked + 1), end), 'accent'),
			].filter(({text}) => text !== ''),
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
