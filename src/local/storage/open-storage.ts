import {closeSync, openSync, statSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {NotAFileError, requireRegularFile} from '../../../hooks/regular-file.ts';
import {LocalServiceError} from '../local-error.ts';
import {type ComputerTable, createComputerTable} from './computers.ts';
import {type ControlTable, createControlTable} from './controls.ts';
import {databaseFile} from './database-file.ts';
import {createIdentityTable, type IdentityTable} from './identity.ts';
import {createMessageTable, type MessageTable} from './messages.ts';
import {createProcessTable, type ProcessTable} from './processes.ts';
import {createReadinessTable, type ReadinessTable} from './readiness.ts';
import {migrations} from './schema.ts';
import {createServiceTable, type ServiceTable} from './services.ts';
import {createSessionTable, type SessionTable} from './sessions.ts';
import {createUsageTable, type UsageTable} from './usage.ts';

/** How long one statement waits for another process, ms. */
const busyTimeout = 2500;

/** Everything the service keeps: one sqlite file, shared by all instances over the same folder. */
export type Storage = {
	readonly computers: ComputerTable;
	readonly sessions: SessionTable;
	readonly messages: MessageTable;
	readonly usage: UsageTable;
	readonly controls: ControlTable;
	readonly readiness: ReadinessTable;
	readonly identity: IdentityTable;
	readonly processes: ProcessTable;
	readonly services: ServiceTable;
	/** Runs `work` in one transaction; it is undone when `work` throws. Not to be nested. */
	transaction<T>(work: () => T): T;
	close(): void;
};

/** Opens (and brings up to date) the database in `folder`. Throws `LocalServiceError`. */
export function openStorage(folder: string): Storage {
	const file = databaseFile(folder);
	try {
		for (const suffix of ['', '-wal', '-shm', '-journal']) requireRegularFile(file + suffix);
		refuseEmptied(file);
		// Made here, since sqlite would make it readable by others; its side files take the same mode.
		closeSync(openSync(file, 'a', 0o600));
		const database = new DatabaseSync(file, {timeout: busyTimeout});
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
		migrate(database, file);
		return {
			computers: createComputerTable(database),
			sessions: createSessionTable(database),
			messages: createMessageTable(database),
			usage: createUsageTable(database),
			controls: createControlTable(database),
			readiness: createReadinessTable(database),
			identity: createIdentityTable(database),
			processes: createProcessTable(database),
			services: createServiceTable(database),
			transaction: work => inTransaction(database, work),
			close: () => database.close(),
		};
	} catch (cause) {
		if (cause instanceof LocalServiceError) throw cause;
		throw new LocalServiceError(`the service's database ${file} can't be opened: ${adviceFor(cause)}`, {
			cause,
		});
	}
}

/** sqlite would delete the log beside a file that has no content, and with it what the log holds. */
function refuseEmptied(file: string): void {
	const sizeOf = (name: string) => statSync(name, {throwIfNoEntry: false})?.size;
	if (sizeOf(file) !== 0 || !sizeOf(`${file}-wal`)) return;
	throw new LocalServiceError(
		`the service's database ${file} is empty but its log is not: move both aside to begin anew`,
	);
}

/** What is wrong and what to do, by the result codes of sqlite. */
function adviceFor(cause: unknown): string {
	const {errcode, message} = cause as {errcode?: number; message: string};
	const code = (errcode ?? 0) & 0xff;
	if (cause instanceof NotAFileError) return `${message}. Move it away and start again`;
	if (code === 5 || code === 6)
		return 'another program holds it, or its file system cannot lock files: end that program, or set XDG_STATE_HOME to a local folder';
	if (code === 11 || code === 26 || message.startsWith('no such table: '))
		return `it is damaged (${message}). Move it aside to begin anew`;
	return `${message}. Make it writable, or move it aside to begin anew`;
}

function migrate(database: DatabaseSync, file: string): void {
	inTransaction(database, () => {
		const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
		if (version > migrations.length)
			throw new LocalServiceError(
				`${file} was written by a newer version: update, or choose another state folder`,
			);
		for (const migration of migrations.slice(version)) database.exec(migration);
		database.exec(`PRAGMA user_version = ${migrations.length}`);
	});
}

function inTransaction<T>(database: DatabaseSync, work: () => T): T {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		database.exec('ROLLBACK');
		throw error;
	}
}
