import type {Attribution, Ranked} from '../usage/attribution.ts';
import type {DayPoint} from '../usage/series.ts';
import {createExportTable, type ExportCell, type ExportColumn, type ExportTable} from './export-table.ts';

// Table shapes shared by the usage tabs.

/** Several measures over the same days, one row per day. */
export function tableByDay(
	name: string,
	measures: readonly (readonly [name: string, points: readonly DayPoint[]])[],
): ExportTable {
	const days = measures[0]?.[1] ?? [];
	return createExportTable<number>(
		name,
		[
			{name: 'date', value: index => days[index]?.date},
			...measures.map(([measure, points]) => ({
				name: measure,
				value: (index: number) => points[index]?.value,
			})),
		],
		[...days.keys()],
	);
}

/** A figure, the previous period's, and the growth as a fraction (0.25 is 25% more). */
export type TotalRow = {
	readonly measure: string;
	readonly value: ExportCell;
	readonly before?: number | undefined;
	readonly change?: number | undefined;
};

export function totalsTable(rows: readonly TotalRow[]): ExportTable {
	return createExportTable('totals', ['measure', 'value', 'before', 'change'], rows);
}

/** An entry of a breakdown. The unattributed part has no name, so that the rows sum to the total. */
export type Part = Partial<Pick<Ranked, 'key' | 'label'>> & Pick<Ranked, 'value' | 'share'>;

/**
 * A breakdown, largest first; the last row, without a name, is the unattributed part. The names are the
 * table's, and those of its columns for the names and the values.
 */
export function rankedTable(
	[name, key, measure]: readonly [name: string, key: string, measure: string],
	{entries, total, unattributed}: Attribution,
	details: readonly ExportColumn<Part>[] = [],
): ExportTable {
	const named: readonly ExportColumn<Part>[] = [{name: key, value: part => part.key}, ...details];
	const rest: Part[] =
		unattributed === 0 ? [] : [{value: unattributed, share: total > 0 ? unattributed / total : undefined}];
	return createExportTable<Part>(
		name,
		[...named, {name: measure, value: ({value}) => value}, 'share'],
		[...entries, ...rest],
		row => ({
			...Object.fromEntries(named.map(column => [column.name, column.value(row) ?? null])),
			[measure]: row.value,
			quarterdeck: {
				share: row.share,
				...(row.key === undefined && {unattributed: true}),
			},
		}),
	);
}
