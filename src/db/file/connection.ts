import type {DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync} from 'node:sqlite';
import {ifPossible} from '../../domain/if-possible.ts';
import {isFileError, type StorageError, toStorageError} from './storage-error.ts';

/**
 * When a write counts as done. `full`: synced to disk, for anything the user typed. `normal`: survives a
 * crash of the program; a power cut may lose the latest writes but never corrupts the file.
 */
type Durability = 'normal' | 'full';

export type Row = Record<string, SQLOutputValue>;

export type Connection = ReturnType<typeof createConnection>;

export type Guard = {
	/** Called before each transaction. Throws `FileLostError` when the path leads to another file. */
	check(): void;
	/** Returns a sound handle to replace the broken one, or undefined when the error should be thrown. */
	recover(broken: DatabaseSync, error: unknown): DatabaseSync | undefined;
	/** What is wrong with the file, by an error. */
	explain(error: unknown): StorageError;
	/** Called after the failed work succeeded on the new handle. */
	recovered(): void;
};

/** One open sqlite file. Each statement is prepared once, on first use. */
export function createConnection(first: DatabaseSync, {now, guard}: {now: () => number; guard?: Guard}) {
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

	function toThrown(error: unknown): unknown {
		return isFileError(error) ? (guard?.explain(error) ?? toStorageError(error)) : error;
	}

	/** Only the outermost call may recover: otherwise half of a transaction would run on the new file. */
	const guarded = <T>(run: () => T): T => {
		if (depth > 0) return run();
		try {
			return run();
		} catch (error) {
			const next = guard?.recover(handle, error);
			if (!next) throw toThrown(error);
			statements = new Map();
			handle = next;
		}
		try {
			return run();
		} catch (error) {
			throw toThrown(error);
		} finally {
			guard?.recovered();
		}
	};

	const transaction = <T>(durability: Durability, run: () => T): T => {
		if (depth > 0) return run();
		guard?.check();
		// `synchronous` can't change inside a transaction, so it is set around it. That takes microseconds and no
		// I/O; a second connection would need its own cache and locks.
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

	/** Runs one writing statement inside the transaction of `write`; returns the number of changed rows. */
	const run = (sql: string, ...values: SQLInputValue[]): number =>
		guarded(() => {
			const {changes, lastInsertRowid} = prepared(sql).run(...values);
			lastKey = Number(lastInsertRowid);
			return Number(changes);
		});

	return {
		now,
		all: (sql: string, ...values: SQLInputValue[]): Row[] => guarded(() => prepared(sql).all(...values)),
		get: (sql: string, ...values: SQLInputValue[]): Row | undefined =>
			guarded(() => prepared(sql).get(...values)),
		run,
		/** Inserts a row, or updates the one with the same values in the `key` columns. Otherwise as `run`. */
		upsert(table: string, key: readonly string[], row: Readonly<Record<string, SQLInputValue>>): void {
			const columns = Object.keys(row);
			const updates = columns.flatMap(name => (key.includes(name) ? [] : `${name} = excluded.${name}`));
			run(
				`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
				ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${updates.join(', ')}`,
				...Object.values(row),
			);
		},
		lastKey: () => lastKey,
		/** Runs several reads as one. Throws `StorageError`. */
		read: guarded,
		/** Checks that the path still leads to the open file, and recovers if it doesn't. */
		check: () => guarded(() => guard?.check()),
		/** Runs one atomic transaction; a nested write joins it. Throws `StorageError`. */
		write: <T>(durability: Durability, run: () => T): T => guarded(() => transaction(durability, run)),
		close() {
			statements = new Map();
			if (handle.isOpen) handle.close();
		},
	};
}

/** Some errors (such as a full disk) have already rolled back. Keep the original error either way. */
export function rollBack(handle: DatabaseSync): void {
	try {
		if (handle.isTransaction) handle.exec('ROLLBACK');
	} catch {}
}

/** Parses JSON that this program wrote; undefined for anything else (in a salvaged row, say). */
export function fromJson<T>(value: SQLOutputValue | undefined): T | undefined {
	return typeof value === 'string' ? ifPossible(() => JSON.parse(value) as T) : undefined;
}
