import type {Attribution, Ranked} from './usage/breakdowns.ts';
import type {DayRange} from './usage/range.ts';
import type {DayPoint} from './usage/series.ts';

/** One table cell. `undefined` means unknown, which is not zero. */
export type ExportCell = string | number | boolean | undefined;

/** One column: its name as the contract spells it, and its raw value. */
export type ExportColumn<Row> = {readonly name: string; readonly value: (row: Row) => ExportCell};

/** A column, or the name of a field that makes one. */
export type ExportColumnOf<Row> = ExportColumn<Row> | FieldName<Row>;
type FieldName<Row> = {[Key in keyof Row]: Row[Key] extends ExportCell ? Key : never}[keyof Row] & string;

/** A table of rows in display order. Rows are generated on demand. */
export type ExportTable = {
	/** The name by which the user selects it, such as `by day`. */
	readonly name: string;
	readonly columns: readonly string[];
	readonly count: number;
	cells(): Iterable<readonly ExportCell[]>;
	/** Each row with the contract's own fields; fields that Quarterdeck adds are under `quarterdeck`. */
	objects(): Iterable<object>;
};

/** The data shown on a page. `selection` names the view, filter and order. */
export type ExportPage = {
	/** For use in a file name: words separated by dashes. */
	readonly name: string;
	readonly range?: DayRange;
	readonly organizationId?: string;
	readonly selection: Readonly<Record<string, unknown>>;
	/** Limitations, one sentence each: truncated lists, stale data. */
	readonly notes?: readonly string[];
	readonly tables: readonly ExportTable[];
	/** Only of a session's messages: they as a Markdown document, instead of as CSV. */
	readonly document?: () => Iterable<string>;
};

/** Rows, as an array or as a typed array of indexes. */
export type Rows<Row> = Iterable<Row> & {readonly length: number};

/**
 * Creates a table from rows. Without `toObject`, its objects use the column names as keys and null for
 * unknown values.
 */
export function createExportTable<Row>(
	name: string,
	columnsOrFields: readonly ExportColumnOf<Row>[],
	rows: Rows<Row>,
	toObject?: (row: Row) => object,
): ExportTable {
	const columns = columnsOrFields.map(
		(column): ExportColumn<Row> =>
			typeof column === 'object' ? column : {name: column, value: row => row[column] as ExportCell},
	);
	const objectOf =
		toObject ?? (row => Object.fromEntries(columns.map(column => [column.name, column.value(row) ?? null])));
	return {
		name,
		columns: columns.map(column => column.name),
		count: rows.length,
		*cells() {
			for (const row of rows) yield columns.map(({value}) => value(row));
		},
		*objects() {
			for (const row of rows) yield objectOf(row);
		},
	};
}

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
				unattributed: row.key === undefined || undefined,
			},
		}),
	);
}
