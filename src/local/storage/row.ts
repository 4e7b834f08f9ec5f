import type {SQLOutputValue} from 'node:sqlite';

/** A row as sqlite returns it. */
export type Row = Record<string, SQLOutputValue>;

/** An optional text column; undefined when it is null. */
export function textOf(row: Row, column: string): string | undefined {
	const value = row[column];
	return typeof value === 'string' ? value : undefined;
}

/** An optional number column; undefined when it is null. */
export function numberOf(row: Row, column: string): number | undefined {
	const value = row[column];
	return typeof value === 'number' ? value : undefined;
}

/** The converted row; undefined if there is none. */
export function rowAs<T>(row: Row | undefined, convert: (row: Row) => T): T | undefined {
	return row && convert(row);
}
