import type {DayRange} from './usage/range.ts';

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
