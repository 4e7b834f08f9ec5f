import {fitLine, type Line, type Span, span, type Tone} from '../line.ts';
import {exactNumber} from '../numbers.ts';
import {safe, stillSafe} from '../safe.ts';
import {axisGutter, axisLabel, labelLine} from './axis.ts';
import {binPoints, type Combine} from './bins.ts';
import {type ChartOptions, type ChartSeries, largestOf} from './chart-point.ts';
import {glyphsOf} from './glyphs.ts';
import {joinSpans} from './join-spans.ts';

const tones: readonly Tone[] = ['accent', 'warn', 'good', 'info', 'user', 'bad'];

/** How many lines can be told apart. */
export const mostLines = tones.length;

/**
 * A mark at every known point, a stroke between the marks of neighbours; an unknown point breaks its line, and a
 * column in which every line is unknown says so on the floor. Where lines meet, the first one is seen.
 */
export function lineChart(
	series: readonly ChartSeries[],
	options: ChartOptions & {readonly combine: Combine; readonly height: number},
): Line[] {
	const {width, height, combine, selected, isAscii} = options;
	const glyphs = glyphsOf(isAscii);
	const lines = series.map(({points}) => binPoints(points, width - axisGutter, combine));
	const top = largestOf(lines.flatMap(({points}) => points.map(({value}) => value)));
	const columns = Math.max(0, ...lines.map(({points}) => points.length));
	const chosen = lines[0]?.columnOf(selected);
	const rowOf = (value: number | undefined) =>
		value === undefined
			? undefined
			: height - 1 - Math.round((Math.max(0, value) / (top || 1)) * (height - 1));

	const cells: Span[][] = Array.from({length: height}, () =>
		Array.from({length: columns}, (_, column) =>
			span(safe` `, undefined, column === chosen ? {inverse: true} : {}),
		),
	);
	const draw = (row: number, column: number, glyph: string, tone: Tone | undefined) => {
		const cell = cells[row]?.[column];
		if (cell && cell.text === ' ')
			(cells[row] as Span[])[column] = {...cell, text: stillSafe(glyph), ...(tone && {tone})};
	};
	// Marks of all lines before any stroke: a stroke never hides a value.
	for (const [index, {points}] of lines.entries())
		for (const [column, {value}] of points.entries()) {
			const row = rowOf(value);
			if (row !== undefined) draw(row, column, glyphs.marks[index] ?? '', tones[index]);
		}
	for (const [index, {points}] of lines.entries())
		for (const [column, {value}] of points.entries()) {
			const [from, to] = [rowOf(points[column - 1]?.value), rowOf(value)];
			if (from === undefined || to === undefined) continue;
			for (let row = Math.min(from, to) + 1; row < Math.max(from, to); row++)
				draw(row, column, glyphs.stroke, tones[index]);
		}
	for (let column = 0; column < columns; column++)
		if (lines.every(({points}) => points[column]?.value === undefined))
			draw(height - 1, column, glyphs.unknown, 'dim');

	const legend = series.flatMap(({label}, index): Span[] => [
		span(stillSafe(`${index > 0 ? '  ' : ''}${glyphs.marks[index] ?? ''} `), tones[index]),
		span(label),
	]);
	const firstPoints = series[0]?.points ?? [];
	const point = selected === undefined ? undefined : firstPoints[selected];
	return [
		...cells.map((row, index): Line => [axisLabel(index, height, top), ...joinSpans(row)]),
		labelLine(firstPoints, axisGutter, axisGutter + columns),
		fitLine(legend, width),
		...(point && selected !== undefined
			? [
					fitLine(
						[
							span(point.label, 'dim'),
							...series.flatMap(({label, points}) => {
								const value = points[selected]?.value;
								const told = value === undefined ? safe`unknown` : exactNumber(value);
								return [span(safe`  ${label} `), span(told, value === undefined ? 'warn' : 'strong')];
							}),
						],
						width,
					),
				]
			: []),
	];
}
