import type {DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync} from 'node:sqlite';
import {isSqliteError, reasonOf, toStorageError} from './storage-error.ts';

/**
 * How far a write must have come when it returns. `full`: on the platter, for what the user typed.
 * `normal`: safe from a crash of the program; a power cut may take the last writes, never the file's soundness.
 */
export type Durability = 'normal' | 'full';

export type Row = Record<string, SQLOutputValue>;

/** One open sqlite file. Statements are prepared when they are first used, and once. */
export type Connection = {
	readonly now: () => number;
	all(sql: string, ...values: SQLInputValue[]): Row[];
	get(sql: string, ...values: SQLInputValue[]): Row | undefined;
	/** Runs one writing statement inside the transaction of `write` and answers how many rows it changed. */
	run(sql: string, ...values: SQLInputValue[]): number;
	/** Key of the row that was inserted last. */
	lastKey(): number;
	/** Several reads as one: raises `StorageError`. */
	read<T>(run: () => T): T;
	/** One transaction, all or nothing: raises `StorageError`. A write inside a write joins it. */
	write<T>(durability: Durability, run: () => T): T;
	close(): void;
};

/**
 * `recover` is called when the file turns out to be damaged, and answers a sound handle in its place; the work that
 * met the damage is then done again, once.
 */
export function createConnection(
	first: DatabaseSync,
	{now, recover}: {now: () => number; recover?: (broken: DatabaseSync) => DatabaseSync},
): Connection {
	let handle = first;
	let statements = new Map<string, StatementSync>();
	let depth = 0;
	let lastKey = 0;

	const prepared = (sql: string): StatementSync => {
		let statement = statements.get(sql);
		if (!statement) {
			statement = handle.prepare(sql);
			statements.set(sql, statement);
		}
		return statement;
	};

	/** Only the outermost call may answer damage: inside a transaction half of the work would be done on the new file. */
	const guarded = <T>(run: () => T): T => {
		if (depth > 0) return run();
		try {
			return run();
		} catch (error) {
			if (!isSqliteError(error)) throw error;
			if (reasonOf(error) !== 'damaged' || !recover) throw toStorageError(error);
		}
		try {
			statements = new Map();
			handle = recover(handle);
			return run();
		} catch (error) {
			throw isSqliteError(error) ? toStorageError(error) : error;
		}
	};

	const transaction = <T>(durability: Durability, run: () => T): T => {
		if (depth > 0) return run();
		// `synchronous` belongs to the connection and can't change inside a transaction: it is set around it.
		// No I/O: a few microseconds, against a second connection with its own cache and locks.
		if (durability === 'full') handle.exec('PRAGMA synchronous = FULL');
		try {
			handle.exec('BEGIN IMMEDIATE');
			depth++;
			try {
				const result = run();
				handle.exec('COMMIT');
				return result;
			} catch (error) {
				rollBack(handle);
				throw error;
			} finally {
				depth--;
			}
		} finally {
			if (durability === 'full') handle.exec('PRAGMA synchronous = NORMAL');
		}
	};

	return {
		now,
		all: (sql, ...values) => guarded(() => prepared(sql).all(...values)),
		get: (sql, ...values) => guarded(() => prepared(sql).get(...values)),
		run(sql, ...values) {
			return guarded(() => {
				const {changes, lastInsertRowid} = prepared(sql).run(...values);
				lastKey = Number(lastInsertRowid);
				return Number(changes);
			});
		},
		lastKey: () => lastKey,
		read: guarded,
		write: (durability, run) => guarded(() => transaction(durability, run)),
		close() {
			statements = new Map();
			if (handle.isOpen) handle.close();
		},
	};
}

/** Some errors (a full disk, say) have rolled back already. The error that led here is the one to tell. */
function rollBack(handle: DatabaseSync): void {
	try {
		if (handle.isTransaction) handle.exec('ROLLBACK');
	} catch {}
}
