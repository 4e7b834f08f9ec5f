import type {Attribution, Ranked} from '../usage/attribution.ts';
import {growth} from '../usage/comparison.ts';
import type {DayPoint} from '../usage/series.ts';
import {createExportTable, type ExportColumn, type ExportTable} from './export-table.ts';

// Table shapes shared by the usage tabs.

/** Several measures over the same days, one row per day. */
export function tableByDay(
	name: string,
	measures: readonly (readonly [name: string, points: readonly DayPoint[]])[],
): ExportTable {
	const days = measures[0]?.[1] ?? [];
	const columns: ExportColumn<number>[] = [
		{name: 'date', value: index => days[index]?.date},
		...measures.map(
			([measure, points]): ExportColumn<number> => ({name: measure, value: index => points[index]?.value}),
		),
	];
	return createExportTable(name, columns, [...days.keys()]);
}

/**
 * The summary figures of a tab, with the previous period's values and growth as a fraction (0.25 is 25%
 * more).
 */
export function totalsTable(
	figures: readonly (readonly [measure: string, now: number | undefined, before: number | undefined])[],
	changeOf: (measure: string) => number | undefined = () => undefined,
): ExportTable {
	return createExportTable(
		'totals',
		[
			{name: 'measure', value: ([measure]) => measure},
			{name: 'value', value: ([, now]) => now},
			{name: 'before', value: ([, , before]) => before},
			{name: 'change', value: ([measure, now, before]) => changeOf(measure) ?? growth(now, before)},
		],
		figures,
	);
}

/** Adds a row with one more fact to a table of totals. */
export function withFact(table: ExportTable, measure: string, value: string): ExportTable {
	const {columns} = table;
	return {
		...table,
		count: table.count + 1,
		*cells() {
			yield* table.cells();
			yield columns.map((_, index) => [measure, value][index]);
		},
		*objects() {
			yield* table.objects();
			yield {...Object.fromEntries(columns.map(column => [column, null])), measure, value};
		},
	};
}

/** The unattributed part: a row without a name, so that the rows sum to the total. */
type Part = Partial<Pick<Ranked, 'key' | 'label'>> & Pick<Ranked, 'value' | 'share'>;

/** A breakdown, largest first; the last row, without a name, is the unattributed part. */
export function rankedTable(
	name: string,
	{entries, total, unattributed}: Attribution,
	naming: readonly ExportColumn<Part>[],
	measure: string,
): ExportTable {
	const rest: Part[] =
		unattributed === 0 ? [] : [{value: unattributed, share: total > 0 ? unattributed / total : undefined}];
	return createExportTable<Part>(
		name,
		[...naming, {name: measure, value: ({value}) => value}, {name: 'share', value: ({share}) => share}],
		[...entries, ...rest],
		row => ({
			...Object.fromEntries(naming.map(column => [column.name, column.value(row) ?? null])),
			[measure]: row.value,
			quarterdeck: {
				...(row.share !== undefined && {share: row.share}),
				...(row.key === undefined && {unattributed: true}),
			},
		}),
	);
}

/** The name column of a breakdown. */
export function nameColumn(name: string): ExportColumn<Part> {
	return {name, value: ({key}) => key};
}
