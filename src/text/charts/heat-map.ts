import {fitLine, type Line, span} from '../line.ts';
import {shortNumber} from '../numbers.ts';
import {type Safe, stillSafe} from '../safe.ts';
import {labelLine} from './axis.ts';
import {glyphsOf} from './glyphs.ts';

export type HeatMapOptions = {
	/** Columns of the screen at most. */
	readonly width: number;
	/** The most that each shade stands for, ascending, four at most; the last is the largest of all rows, seen or not. */
	readonly tops: readonly number[];
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
 * A shade says between which values a cell's own lies; zero and unknown have marks of their own. When not all columns fit, the window ends at the last one or at the selected one.
 */
export function createHeatMap(
	columns: readonly Safe[],
	{width: room, tops, selected, isAscii}: HeatMapOptions,
): HeatMap {
	const glyphs = glyphsOf(isAscii);
	const shades = darkest(glyphs.shades, tops.length);
	const width = Math.max(1, Math.min(room, columns.length));
	const newest = columns.length - width;
	const start = selected !== undefined && selected < newest ? Math.max(0, selected + 1 - width) : newest;
	const shown = columns.slice(start, start + width);

	function glyphOf(value: number | undefined): string {
		if (value === undefined) return glyphs.unknown;
		if (value <= 0) return glyphs.zero;
		const step = tops.findIndex(top => value <= top);
		return (step < 0 ? shades.at(-1) : shades[step]) ?? glyphs.zero;
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
		legend: [span(stillSafe(legendText(tops, isAscii)), 'dim')],
	};
}

function legendText(tops: readonly number[], isAscii: boolean | undefined): string {
	const {shades, zero, unknown} = glyphsOf(isAscii);
	const steps = darkest(shades, tops.length).map(
		(shade, index) => `  ${shade} to ${shortNumber(tops[index])}`,
	);
	return `${zero} 0${steps.join('')}  ${unknown} unknown`;
}

/** So many of the shades: the largest value always has the darkest. */
function darkest(shades: readonly string[], count: number): readonly string[] {
	return count === 0 ? [] : shades.slice(-count);
}
