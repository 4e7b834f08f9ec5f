import {pad} from '../cut.ts';
import {fitLine, type Line, type Span, span} from '../line.ts';
import {shortNumber} from '../numbers.ts';
import {type Safe, safe, stillSafe} from '../safe.ts';
import {textWidth} from '../width.ts';
import {labelLine} from './axis.ts';
import {type ChartOptions, largestOf} from './chart-point.ts';
import {glyphsOf} from './glyphs.ts';
import {joinSpans} from './join-spans.ts';
import {readout} from './readout.ts';

export type HeatRow = {readonly label: Safe; readonly values: readonly (number | undefined)[]};

/** Rows by columns, such as users by days. Only the rows that are seen are given: `top` is the largest of all of them. */
export type HeatMap = {
	readonly columns: readonly Safe[];
	readonly rows: readonly HeatRow[];
	readonly top?: number;
};

export type HeatMapOptions = Omit<ChartOptions, 'selected'> & {
	readonly selected?: {readonly row: number; readonly column: number} | undefined;
	/** Columns of the labels at most. */
	readonly labelWidth?: number;
};

/**
 * A shade for every cell: how much of the largest value it holds, in four steps; zero and unknown have marks of their
 * own. When not all columns fit, the window ends at the last one or holds the selected one. Below: first and last
 * column, what the marks mean, and exactly what the selected cell holds.
 */
export function heatMap({columns, rows, top: given}: HeatMap, options: HeatMapOptions): Line[] {
	const {width, isAscii, selected, labelWidth = 24} = options;
	const glyphs = glyphsOf(isAscii);
	const top = given ?? largestOf(rows.flatMap(({values}) => values));
	const names = Math.min(labelWidth, Math.max(0, ...rows.map(({label}) => textWidth(label))));
	const room = Math.max(1, width - names - 1);
	const newest = Math.max(0, columns.length - room);
	// The newest columns are seen unless the selected one is before them.
	const start = selected && selected.column < newest ? Math.max(0, selected.column + 1 - room) : newest;
	const shown = columns.slice(start, start + room);
	const lines = rows.map(({label, values}, row): Line => {
		const cells = shown.map((_, index): Span => {
			const column = start + index;
			const isChosen = selected?.row === row && selected.column === column;
			const {glyph, isFaint} = shade(values[column]);
			return span(stillSafe(glyph), isFaint ? 'dim' : 'accent', isChosen ? {inverse: true} : {});
		});
		return [span(safe`${pad(label, names)} `), ...joinSpans(cells)];
	});

	function shade(value: number | undefined): {glyph: string; isFaint: boolean} {
		if (value === undefined) return {glyph: glyphs.unknown, isFaint: true};
		if (value <= 0 || top <= 0) return {glyph: glyphs.zero, isFaint: true};
		const steps = glyphs.shades.length;
		const step = Math.min(steps, Math.max(1, Math.ceil((value / top) * steps)));
		return {glyph: glyphs.shades[step - 1] ?? glyphs.zero, isFaint: false};
	}

	const chosenRow = selected && rows[selected.row];
	const chosenColumn = selected && columns[selected.column];
	return [
		...lines,
		labelLine(
			shown.map(label => ({label, value: undefined})),
			names + 1,
			names + 1 + shown.length,
		),
		fitLine(legend(top, isAscii), width),
		...(chosenRow && chosenColumn
			? [
					readout(
						{label: safe`${chosenRow.label}  ${chosenColumn}`, value: chosenRow.values[selected.column]},
						{...options, selected: undefined},
					),
				]
			: []),
	];
}

function legend(top: number, isAscii: boolean | undefined): Line {
	const {shades, zero, unknown} = glyphsOf(isAscii);
	const steps = shades.map((shade, index): Safe => {
		const upTo = shortNumber((top * (index + 1)) / shades.length);
		return stillSafe(`  ${shade} to ${upTo}`);
	});
	return [span(stillSafe(`${zero} 0${top > 0 ? steps.join('') : ''}  ${unknown} unknown`), 'dim')];
}
