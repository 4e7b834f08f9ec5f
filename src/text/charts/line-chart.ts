import {type Line, type Span, span, type Tone} from '../cells/line.ts';
import {safe, stillSafe} from '../cells/safe.ts';
import {axisColumns, legendLines} from './axis.ts';
import {type AxisOptions, type ChartSeries, type Combine, largestOf} from './chart-point.ts';
import {type Glyphs, glyphsOf} from './glyphs.ts';

/** Colors of the lines; more would not be distinguishable. */
const tones: readonly Tone[] = ['accent', 'warn', 'good', 'info', 'user', 'bad'];

/**
 * Draws a mark at every known point and strokes between neighboring marks. An unknown point breaks its line;
 * a column in which every line is unknown has a mark on the floor. Where marks coincide, lines take turns, so
 * that none hides another that follows the same path; where strokes coincide, the first line's is visible.
 */
export function lineChart(
	series: readonly ChartSeries[],
	options: AxisOptions & {readonly combine: Combine},
): Line[] {
	const {height, combine, isAscii} = options;
	const glyphs = glyphsOf(isAscii);
	const columns = axisColumns(options);
	const points = series[0]?.points ?? [];
	const bins = columns.bins(points, combine);
	const count = bins.points.length;
	const lines = series.map(line => columns.bins(line.points, combine));
	const top = largestOf(lines.flatMap(({points}) => points.map(({value}) => value)));
	const canvas = createCanvas(height, columns.start(count));
	const rowOf = (value: number | undefined) =>
		value === undefined
			? undefined
			: height - 1 - Math.round((Math.max(0, value) / (top || 1)) * (height - 1));

	// Draw the marks of all lines before any stroke, so that a stroke never hides a value.
	for (let index = 0; index < count; index++) {
		const meeting = Map.groupBy(lines.keys(), line => rowOf(lines[line]?.points[index]?.value));
		for (const [row, indexes] of meeting) {
			const line = indexes[index % indexes.length] ?? 0;
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
	const pointer = columns.pointer(bins);
	if (pointer) for (let row = 0; row < height; row++) canvas.draw(row, pointer.column, glyphs.guide, 'dim');

	const marks = series.map((_, index) => span(stillSafe(glyphs.marks[index] ?? ''), tones[index]));
	return [...columns.frame(canvas.rows(), top, points, bins), ...legendLines(series, marks, options)];
}

/** A grid of cells; the first glyph drawn in a cell stays. */
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

/** The cells between two marks: horizontal, vertical where the line turns, then horizontal again. */
function* strokes(
	{left, right, from, to}: Ends,
	{level, stroke, downFrom, downTo, upFrom, upTo}: Glyphs,
): Generator<{readonly row: number; readonly column: number; readonly glyph: string}> {
	const [top, bottom] = [Math.min(from, to), Math.max(from, to)];
	// Adjacent columns leave no room for a turn: the stroke goes above or below the second mark.
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
