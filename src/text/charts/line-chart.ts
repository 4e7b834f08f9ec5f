import {type Line, type Span, span, type Tone} from '../line.ts';
import {safe, stillSafe} from '../safe.ts';
import {axisGutter, axisLabel, labelLine} from './axis.ts';
import {axisColumns} from './axis-columns.ts';
import type {Combine} from './bins.ts';
import {type AxisOptions, type ChartSeries, largestOf} from './chart-point.ts';
import {type Glyphs, glyphsOf} from './glyphs.ts';
import {joinSpans} from './join-spans.ts';
import {legendLines} from './legend.ts';

const tones: readonly Tone[] = ['accent', 'warn', 'good', 'info', 'user', 'bad'];

/** How many lines can be told apart. */
export const maxLines = tones.length;

/**
 * A mark at every known point, strokes between the marks of neighbours; an unknown point breaks its line, and a
 * column in which every line is unknown says so on the floor. Lines that meet take turns, so that none hides another
 * which goes the same way; of their strokes the first is seen.
 */
export function lineChart(
	series: readonly ChartSeries[],
	options: AxisOptions & {readonly combine: Combine},
): Line[] {
	const {height, combine, selected, isAscii} = options;
	const glyphs = glyphsOf(isAscii);
	const columns = axisColumns(options);
	const lines = series.map(({points}) => columns.bins(points, combine));
	const top = largestOf(lines.flatMap(({points}) => points.map(({value}) => value)));
	const count = Math.max(0, ...lines.map(({points}) => points.length));
	const canvas = createCanvas(height, columns.start(count));
	const rowOf = (value: number | undefined) =>
		value === undefined
			? undefined
			: height - 1 - Math.round((Math.max(0, value) / (top || 1)) * (height - 1));

	// Marks of all lines before any stroke: a stroke never hides a value.
	for (let index = 0; index < count; index++) {
		const meeting = Map.groupBy(lines.keys(), line => rowOf(lines[line]?.points[index]?.value));
		for (const [row, those] of meeting) {
			const line = those[index % those.length] ?? 0;
			if (row !== undefined) canvas.draw(row, columns.middle(index), glyphs.marks[line] ?? '', tones[line]);
		}
	}
	for (const [line, {points}] of lines.entries())
		for (let index = 1; index < points.length; index++) {
			const [from, to] = [rowOf(points[index - 1]?.value), rowOf(points[index]?.value)];
			if (from === undefined || to === undefined) continue;
			const ends = {left: columns.middle(index - 1), right: columns.middle(index), from, to};
			for (const {row, column, glyph} of strokes(ends, glyphs)) canvas.draw(row, column, glyph, tones[line]);
		}
	for (let index = 0; index < count; index++)
		if (lines.every(({points}) => points[index]?.value === undefined))
			canvas.draw(height - 1, columns.middle(index), glyphs.unknown, 'dim');
	const pointer = lines[0] && columns.pointer(lines[0], selected);
	if (pointer) for (let row = 0; row < height; row++) canvas.draw(row, pointer.column, glyphs.guide, 'dim');

	const marks = series.map((_, index) => span(stillSafe(glyphs.marks[index] ?? ''), tones[index]));
	return [
		...canvas.rows().map((row, index): Line => [axisLabel(index, height, top), ...joinSpans(row)]),
		labelLine(series[0]?.points ?? [], axisGutter, axisGutter + columns.start(count), {
			pointer,
			share: lines[0]?.size ?? 1,
		}),
		...legendLines(series, marks, options),
	];
}

/** Cells that are drawn once each: who comes first is seen. */
function createCanvas(height: number, width: number) {
	const cells: Span[][] = Array.from({length: height}, () =>
		Array.from({length: width}, () => span(safe` `)),
	);
	return {
		draw(row: number, column: number, glyph: string, tone: Tone | undefined) {
			if (cells[row]?.[column]?.text === ' ') cells[row][column] = span(stillSafe(glyph), tone);
		},
		rows: (): readonly Span[][] => cells,
	};
}

type Ends = {readonly left: number; readonly right: number; readonly from: number; readonly to: number};

/** The cells between two marks: level, then upright where the line turns, then level again. Rows count downwards. */
function* strokes(
	{left, right, from, to}: Ends,
	{level, stroke, downFrom, downTo, upFrom, upTo}: Glyphs,
): Generator<{readonly row: number; readonly column: number; readonly glyph: string}> {
	const [top, bottom] = [Math.min(from, to), Math.max(from, to)];
	// Neighbours that touch have no room for a turn: the stroke stands over or under the second.
	const turn = right - left < 2 ? right : left + Math.ceil((right - left) / 2);
	for (let column = left + 1; column < right; column++) {
		if (column < turn || (from === to && column === turn)) yield {row: from, column, glyph: level};
		else if (column > turn) yield {row: to, column, glyph: level};
	}
	if (from === to) return;
	for (let row = top + 1; row < bottom; row++) yield {row, column: turn, glyph: stroke};
	if (turn === right) return;
	yield {row: from, column: turn, glyph: to > from ? downFrom : upFrom};
	yield {row: to, column: turn, glyph: to > from ? downTo : upTo};
}
