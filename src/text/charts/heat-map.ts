import {fitLine, type Line, span} from '../cells/line.ts';
import {type Safe, stillSafe} from '../cells/safe.ts';
import {shortNumber} from '../values/numbers.ts';
import {labelLine} from './axis.ts';
import {glyphsOf} from './glyphs.ts';

export type HeatMapOptions = {
	/** Maximum width in screen columns. */
	readonly width: number;
	/** Upper bound of each shade, ascending, at most four; the last is the largest value of all rows, visible or not. */
	readonly tops: readonly number[];
	/** The column whose cells are marked; always visible. */
	readonly selected?: number | undefined;
	readonly isAscii?: boolean;
};

/** Creates a heat map: rows by columns, such as users by days. */
export function createHeatMap(
	columns: readonly Safe[],
	{width: room, tops, selected, isAscii}: HeatMapOptions,
) {
	const glyphs = glyphsOf(isAscii);
	const shades = darkest(glyphs.shades, tops.length);
	/** Width of a row in screen columns. */
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

	/** Uses a single color, as shapes distinguish the cells: per-cell colors would make up most of a frame's bytes. */
	function cells(valueAt: (column: number) => number | undefined, from: number, to: number): Safe {
		let text = '';
		for (let column = from; column < to; column++) text += glyphOf(valueAt(column));
		return stillSafe(text);
	}

	const end = start + shown.length;
	const marked = selected !== undefined && selected >= start && selected < end ? selected : end;

	return {
		width,
		/** The first and last visible column's labels, in position. */
		labels: fitLine(
			labelLine(
				shown.map(label => ({label, value: undefined})),
				0,
				width,
			),
			width,
		),
		/** A shade for every cell; calls `valueAt` only for visible columns. */
		row: (valueAt: (column: number) => number | undefined): Line =>
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

/** The `count` darkest shades: the largest value always gets the darkest. */
function darkest(shades: readonly string[], count: number): readonly string[] {
	return count === 0 ? [] : shades.slice(-count);
}
