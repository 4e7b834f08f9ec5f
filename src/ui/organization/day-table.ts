import type {DayPoint} from '../../domain/usage/series.ts';
import {cleanLine} from '../../text/clean.ts';
import type {Line} from '../../text/line.ts';
import {exactNumber, shortNumber} from '../../text/numbers.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {type Cell, tableLines} from '../../text/table.ts';
import {section} from './page.ts';

/** Days that are listed: a year and what a range may be longer. */
const maxDays = 400;
/** Columns of a day and of an exact number. */
const roomForExact = 14;

/** Measures of the same days, newest first: every day's own numbers. */
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
	// Again each week: few rows are in sight at once.
	const table = lines.flatMap((line, index) => (index % 7 === 0 ? [heading, line] : [line]));
	return section(safe`Day by day`, table, safe`newest first; - is unknown`, width);
}
