import type {DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync} from 'node:sqlite';
import {busyTimeout} from './open-file.ts';
import {isFileError, reasonOf, toStorageError} from './storage-error.ts';

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
	/** Runs what can't be inside a transaction. */
	exec(sql: string): void;
	/** Key of the row that was inserted last. */
	lastKey(): number;
	/** Several reads as one: raises `StorageError`. */
	read<T>(run: () => T): T;
	/** Looks whether the file is still the one at its path, and recovers it when it isn't. */
	check(): void;
	/** One transaction, all or nothing: raises `StorageError`. A write inside a write joins it. */
	write<T>(durability: Durability, run: () => T): T;
	close(): void;
};

/** What watches over the file behind a connection. */
export type Guard = {
	/** Called before each transaction: raises `FileLostError` when the path leads to another file. */
	check(): void;
	/** Called inside each transaction: raises `SchemaError` when the schema is not the one this program knows. */
	checkSchema(version: number): void;
	/** Answers a sound handle in the place of one that failed so; nothing when the error is to be raised. */
	recover(broken: DatabaseSync, error: unknown): DatabaseSync | undefined;
	/** The work that met the damage was done again on the new handle. */
	recovered(): void;
};

/** After one wait for another process the next ones are short, ms, until a write succeeds: else each key would wait. */
const impatient = 500;

/** When the guard recovers the file, the work that met the damage is done again, once. */
export function createConnection(
	first: DatabaseSync,
	{now, guard}: {now: () => number; guard?: Guard},
): Connection {
	let handle = first;
	let statements = new Map<string, StatementSync>();
	let depth = 0;
	let lastKey = 0;
	let isBusy = false;

	const prepared = (sql: string): StatementSync => {
		let statement = statements.get(sql);
		if (!statement) {
			statement = handle.prepare(sql);
			statements.set(sql, statement);
		}
		return statement;
	};

	function setBusy(next: boolean): void {
		if (next === isBusy) return;
		isBusy = next;
		if (handle.isOpen) handle.exec(`PRAGMA busy_timeout = ${next ? impatient : busyTimeout}`);
	}

	function toRaise(error: unknown): unknown {
		if (!isFileError(error)) return error;
		if (reasonOf(error) === 'busy') setBusy(true);
		return toStorageError(error);
	}

	/** Only the outermost call may answer damage: inside a transaction half of the work would be done on the new file. */
	const guarded = <T>(run: () => T): T => {
		if (depth > 0) return run();
		try {
			return run();
		} catch (error) {
			const next = guard?.recover(handle, error);
			if (!next) throw toRaise(error);
			statements = new Map();
			handle = next;
		}
		try {
			return run();
		} catch (error) {
			throw toRaise(error);
		} finally {
			guard?.recovered();
		}
	};

	const transaction = <T>(durability: Durability, run: () => T): T => {
		if (depth > 0) return run();
		guard?.check();
		// `synchronous` belongs to the connection and can't change inside a transaction: it is set around it.
		// No I/O: a few microseconds, against a second connection with its own cache and locks.
		if (durability === 'full') handle.exec('PRAGMA synchronous = FULL');
		try {
			handle.exec('BEGIN IMMEDIATE');
			depth++;
			try {
				// Again, now that nobody else can write: a program that repairs the file moves it away first.
				guard?.check();
				guard?.checkSchema(Number(prepared('PRAGMA user_version').get()?.user_version));
				const result = run();
				handle.exec('COMMIT');
				setBusy(false);
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
		exec: sql => guarded(() => handle.exec(sql)),
		lastKey: () => lastKey,
		read: guarded,
		check: () => guarded(() => guard?.check()),
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
