import type {DayPoint} from '../../domain/usage/series.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {exactNumber, shortNumber} from '../../text/values/numbers.ts';
import {type Cell, tableLines} from '../../text/values/table.ts';
import {section} from './page.ts';

/** Maximum days listed: a year plus some slack for longer ranges. */
const maxDays = 400;
/** Width of a date or an exact number, in columns. */
const roomForExact = 14;

/** A table of measures by day, newest first. */
export function dayTable(
	measures: readonly (readonly [title: Safe, points: readonly DayPoint[]])[],
	width: number,
): Line[] {
	const days = measures[0]?.[1] ?? [];
	const number = width >= (measures.length + 1) * roomForExact ? exactNumber : shortNumber;
	const indexes = [...days.keys()].reverse().slice(0, maxDays);
	const rows = indexes.map((index): Cell[] => [
		{text: cleanLine(days[index]?.date ?? '-'), tone: 'dim'},
		...measures.map(([, points]): Cell => ({text: number(points[index]?.value)})),
	]);
	const columns = [{title: safe`DAY (UTC)`}, ...measures.map(([title]) => ({title, align: 'end' as const}))];
	const [heading = [], ...lines] = tableLines(columns, rows, {width});
	// Repeat the heading every week, since only a few rows are visible.
	const table = lines.flatMap((line, index) => (index % 7 === 0 ? [heading, line] : [line]));
	return section(safe`Day by day`, table, safe`newest first; - is unknown`, width);
}
