import {DatabaseSync} from 'node:sqlite';
import {NotAFileError} from '../../../hooks/regular-file.ts';
import {rollBack} from '../../db/file/connection.ts';
import {requireRegularFiles, requireWritable} from '../../db/file/open-file.ts';
import {isFileError} from '../../db/file/storage-error.ts';
import {LocalServiceError} from '../local-error.ts';
import {databaseFile} from '../service-files.ts';
import {createChangeTable} from './changes.ts';
import {createComputerTable} from './computers.ts';
import {createIdentityTable} from './identity.ts';
import {createHookCursorTable, createMachineSessionTable} from './machines.ts';
import {createMessageTable} from './messages.ts';
import {createReadinessTable} from './readiness.ts';
import {schema, schemaVersion} from './schema.ts';
import {createSessionTable} from './sessions.ts';
import {createUsageTable} from './usage.ts';

/** How long one statement waits for another process, ms. */
const busyTimeout = 2500;

/** All of the service's data: one sqlite file. */
export type Storage = ReturnType<typeof createTables> & {
	/** Runs `work` in one transaction, rolled back when `work` throws. Can't be nested. */
	transaction<T>(work: () => T): T;
	close(): void;
};

/** Opens the database in `folder`, creating it if necessary. Throws `LocalServiceError`. */
export function openStorage(folder: string): Storage {
	const file = databaseFile(folder);
	try {
		requireRegularFiles(file);
		requireWritable(file);
		const database = new DatabaseSync(file, {timeout: busyTimeout});
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
		createSchema(database, file);
		return {
			...createTables(database),
			transaction: work => inTransaction(database, work),
			close: () => database.close(),
		};
	} catch (cause) {
		if (cause instanceof LocalServiceError) throw cause;
		throw openError(file, cause);
	}
}

function openError(file: string, cause: unknown): Error {
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
		machineSessions: createMachineSessionTable(database),
		hookCursors: createHookCursorTable(database),
		messages: createMessageTable(database),
		usage: createUsageTable(database),
		readiness: createReadinessTable(database),
		identity: createIdentityTable(database),
		changes: createChangeTable(database),
	};
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
		if (version === 0) database.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`);
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
