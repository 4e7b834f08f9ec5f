import {randomUUID} from 'node:crypto';
import {closeSync, openSync, renameSync, rmSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {NotAFileError} from '../../../hooks/regular-file.ts';
import {rollBack} from '../../db/file/connection.ts';
import {
	FileLostError,
	fileIdentity,
	isEmptied,
	type Loss,
	type OpenFiles,
	requireRegularFiles,
	requireWritable,
	sideFiles,
	watchIdentity,
} from '../../db/file/file-identity.ts';
import {isFileError, reasonOf, toStorageError} from '../../db/file/storage-error.ts';
import {LocalServiceError} from '../local-error.ts';
import {createComputerTable} from './computers.ts';
import {databaseFile} from './database-file.ts';
import {createMessageTable} from './messages.ts';
import {createControlTable, createReadinessTable} from './organization.ts';
import {schema, schemaVersion} from './schema.ts';
import {createIdentityTable} from './service.ts';
import {createSessionTable} from './sessions.ts';
import {createUsageTable} from './usage.ts';

/** How long one statement waits for another process, ms. */
const busyTimeout = 2500;

type Tables = ReturnType<typeof createTables>;

/** All of the service's data: one sqlite file. */
export type Storage = Tables & {
	/** Runs `work` in one transaction, rolled back when `work` throws. Can't be nested. */
	transaction<T>(work: () => T): T;
	close(): void;
};

type OpenDatabase = {
	readonly database: DatabaseSync;
	readonly tables: Tables;
	readonly files: OpenFiles;
};

const losses: Record<Loss, string> = {
	removed: 'was removed',
	replaced: 'was replaced',
	emptied: 'was emptied',
	log: 'lost its write-ahead log',
};

/**
 * Opens the database in `folder`, creating it if necessary. Throws `LocalServiceError`. If the file is later removed, it is
 * rewritten from the open one; if it is lost in another way, only that one is used. `onLost` gets a one-line report.
 */
export function openStorage(folder: string, onLost: (what: string) => void = () => {}): Storage {
	const file = databaseFile(folder);
	let open = openFile(file);
	let isInTransaction = false;
	/** The file is lost and can't be restored: only the open handle remains. */
	let isUnrecoverable = false;

	function current(): OpenDatabase {
		if (isInTransaction || isUnrecoverable) return open;
		try {
			open.files.check();
		} catch (error) {
			if (!(error instanceof FileLostError)) throw error;
			replaceLost(error.loss);
		}
		return open;
	}

	function replaceLost(loss: Loss): void {
		const what = `The embedded service's data ${losses[loss]} while the service was running`;
		try {
			// Another file may be another service's, started after the whole folder was removed.
			if (loss !== 'removed') throw new Error('what is there now is left as it is');
			restore();
			onLost(`${what}. It was restored: ${file}.`);
		} catch (error) {
			isUnrecoverable = true;
			onLost(`${what} and can't be restored (${(error as Error).message}): ${file}.`);
		}
	}

	/** Writes the file anew from the open one. */
	function restore(): void {
		const {database} = open;
		const copy = `${file}.${randomUUID()}`;
		try {
			// sqlite fills an existing empty file, and so keeps its permissions.
			closeSync(openSync(copy, 'w', 0o600));
			database.prepare('VACUUM INTO ?').run(copy);
			// On close, sqlite removes the log by its path; it would mix one that is left with the copy.
			database.close();
			for (const suffix of sideFiles) rmSync(file + suffix, {force: true});
			renameSync(copy, file);
			open = openFile(file);
		} finally {
			rmSync(copy, {force: true});
		}
	}

	/** Proxies that stay valid when the file is rewritten, since parts of the service hold references. */
	const currentTables = Object.fromEntries(
		Object.entries(open.tables).map(([name, table]) => [
			name,
			new Proxy(table, {get: (_, method) => Reflect.get(current().tables[name as keyof Tables], method)}),
		]),
	) as Tables;

	return {
		...currentTables,
		transaction(work) {
			const {database} = current();
			isInTransaction = true;
			try {
				return inTransaction(database, work);
			} finally {
				isInTransaction = false;
			}
		},
		close: () => open.database.close(),
	};
}

function openFile(file: string): OpenDatabase {
	try {
		for (;;) {
			requireRegularFiles(file);
			refuseEmptied(file);
			requireWritable(file);
			const identity = fileIdentity(file);
			const database = new DatabaseSync(file, {timeout: busyTimeout});
			database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
			createSchema(database, file);
			const files = watchIdentity(file);
			if (files.main === identity) return {database, files, tables: createTables(database)};
			// The file was replaced in the meantime.
			database.close();
		}
	} catch (cause) {
		if (cause instanceof LocalServiceError) throw cause;
		throw openError(file, cause);
	}
}

function openError(file: string, cause: unknown): Error {
	if (reasonOf(cause) === 'too-many-files') return toStorageError(cause);
	return new LocalServiceError(`the service's database ${file} can't be opened: ${adviceFor(cause)}`, {
		cause,
	});
}

/** Turns an error of the database into one for a starting service; returns any other error unchanged. */
export function startError(folder: string, error: unknown): unknown {
	return isFileError(error) ? openError(databaseFile(folder), error) : error;
}

function createTables(database: DatabaseSync) {
	return {
		computers: createComputerTable(database),
		sessions: createSessionTable(database),
		messages: createMessageTable(database),
		usage: createUsageTable(database),
		controls: createControlTable(database),
		readiness: createReadinessTable(database),
		identity: createIdentityTable(database),
	};
}

/** sqlite would delete the log beside an empty file, losing its contents. */
function refuseEmptied(file: string): void {
	if (!isEmptied(file)) return;
	throw new LocalServiceError(
		`the service's database ${file} is empty but its log is not: move both aside to start over`,
	);
}

/** The problem and the remedy, by sqlite's result code. */
function adviceFor(cause: unknown): string {
	const {errcode, message} = cause as {errcode?: number; message: string};
	const code = (errcode ?? 0) & 0xff;
	if (cause instanceof NotAFileError) return `${message}. Move it away and start again`;
	if (code === 5 || code === 6)
		return "another program has locked it, or its file system can't lock files: close that program, or set XDG_STATE_HOME to a local folder";
	if (code === 11 || code === 26 || message.startsWith('no such table: '))
		return `it is damaged (${message}). Move it aside to start over`;
	return `${message}. Make it writable, or move it aside to start over`;
}

function createSchema(database: DatabaseSync, file: string): void {
	inTransaction(database, () => {
		const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
		if (version > schemaVersion)
			throw new LocalServiceError(
				`${file} was written by a newer version: update Quarterdeck, or choose another state folder`,
			);
		if (version < schemaVersion) database.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`);
	});
}

function inTransaction<T>(database: DatabaseSync, work: () => T): T {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		rollBack(database);
		throw error;
	}
}
