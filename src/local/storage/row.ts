import type {DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync} from 'node:sqlite';

// Fields are camelCase, columns snake_case. An absent field is NULL, a boolean 0 or 1, an object JSON.

export type Row = Record<string, SQLOutputValue>;

/** The columns that hold more than text and numbers, by field. */
type Formats<Value> = {readonly [Field in keyof Value]?: 'json' | 'boolean'};

/** Returns a function that converts rows. It trusts the tables, which are STRICT, and checks no types. */
export function rowReader<Value>(formats: Formats<Value> = {}): (row: Row) => Value {
	return row => {
		const entries = Object.entries(row).flatMap(([column, value]) => {
			if (value === null) return [];
			const field = column.replace(/_[a-z]/g, part => part.slice(1).toUpperCase());
			const format = formats[field as keyof Value];
			if (format === 'boolean') return [[field, value === 1]];
			return [[field, format === 'json' ? JSON.parse(String(value)) : value]];
		});
		return Object.fromEntries(entries) as Value;
	};
}

export function rowAs<T>(row: Row | undefined, convert: (row: Row) => T): T | undefined {
	return row && convert(row);
}

/** Returns a function that inserts a row. `onConflict` ends the statement. */
export function rowInserter<Value extends object>(database: DatabaseSync, table: string, onConflict = '') {
	const run = statementRunner(database, columns => {
		const marks = columns.map(() => '?');
		return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks.join(', ')}) ${onConflict}`;
	});
	return (values: Value): void => run(values);
}

/** Returns a function that updates the row with an id. It leaves out undefined fields; null clears a field. */
export function rowUpdater<Value extends object>(database: DatabaseSync, table: string) {
	const run = statementRunner(database, columns => {
		const assignments = columns.map(column => `${column} = ?`);
		return `UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`;
	});
	return (id: string, changes: {readonly [Field in keyof Value]?: Value[Field] | null}): void =>
		run(changes, id);
}

/** Prepares a statement once for each set of columns that values come with. */
function statementRunner(database: DatabaseSync, sqlFor: (columns: readonly string[]) => string) {
	const statements = new Map<string, StatementSync>();
	return (values: object, ...more: readonly string[]): void => {
		const entries = Object.entries(values).filter(([, value]) => value !== undefined);
		if (entries.length === 0) return;
		const columns = entries.map(([field]) => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
		const key = columns.join();
		const statement = statements.get(key) ?? database.prepare(sqlFor(columns));
		statements.set(key, statement);
		statement.run(...entries.map(([, value]) => toStored(value)), ...more);
	};
}

function toStored(value: unknown): SQLInputValue {
	if (typeof value === 'boolean') return Number(value);
	return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SQLInputValue);
}
