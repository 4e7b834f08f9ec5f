import type {DayRange} from '../usage/range.ts';

/** One cell of a table. Nothing is unknown, and no zero. */
export type ExportCell = string | number | boolean | undefined;

/** One column: its name in the contract's own notation, and its raw value. */
export type ExportColumn<Row> = {readonly name: string; readonly value: (row: Row) => ExportCell};

/** Rows of one kind, in the order in which they are shown. They are made when they are asked for. */
export type ExportTable = {
	/** Such as `by day`: what the user chooses it by. */
	readonly name: string;
	readonly columns: readonly string[];
	readonly count: number;
	/** Cells of each row, one a column. */
	cells(): Iterable<readonly ExportCell[]>;
	/** Each row with the contract's own fields; what Quarterdeck adds is under `quarterdeck`. */
	objects(): Iterable<object>;
};

/** What a page shows, as data. `facts` say how it was chosen: range, filter, order. */
export type ExportPage = {
	/** For a file's name: words with dashes between. */
	readonly name: string;
	/** The days it is about, if any. */
	readonly range?: DayRange;
	/** The organization, as the analytics name it. */
	readonly organizationId?: string;
	readonly facts: Readonly<Record<string, unknown>>;
	/** What it lacks, a sentence each: a list of which only the first items were read, data that is stale. */
	readonly notes?: readonly string[];
	readonly tables: readonly ExportTable[];
};

/** Rows as a list or as a table of indexes. */
export type Rows<Row> = Iterable<Row> & {readonly length: number};

/** A table of rows. Without `toObject` its objects have the columns' names, and null for what is unknown. */
export function createExportTable<Row>(
	name: string,
	columns: readonly ExportColumn<Row>[],
	rows: Rows<Row>,
	toObject?: (row: Row) => object,
): ExportTable {
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
