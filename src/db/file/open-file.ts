import {chmodSync, existsSync, rmSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {makeFolder} from '../../../hooks/make-folder.ts';
import {fileIdentity, logLimit, requireRegularFiles, requireWritable} from './file-identity.ts';
import {schema, schemaVersion} from './schema.ts';
import {OtherVersionError, reasonOf, SchemaError} from './storage-error.ts';

/** How long a statement, and so a key, waits for another process, ms; opening waits less. */
export const busyTimeout = 3000;
export const openingTimeout = 1500;
/** First release without the WAL-reset bug, which lets two processes damage a file in WAL mode. */
const soundWal = [3, 51, 3] as const;

type OpenedFile = {
	readonly handle: DatabaseSync;
	readonly problem: string | undefined;
	/** Identity of the opened file, as returned by `fileIdentity`. */
	readonly identity: string | undefined;
};

/**
 * Opens the file, creating it if necessary: 0600, in a folder created with 0700 if missing. Throws `SchemaError` for a
 * newer program's file, `OtherVersionError`, and errors of node:fs and node:sqlite.
 */
export function openFile(file: string): OpenedFile {
	makeFolder(dirname(file), 0o700);
	requireRegularFiles(file);
	requireWritable(file);
	const identity = fileIdentity(file);
	if (statSync(file).mode & 0o077) chmodSync(file, 0o600);
	const handle = new DatabaseSync(file, {timeout: openingTimeout});
	try {
		const version = versionOf(handle);
		if (version > schemaVersion) throw new SchemaError(`${file} has schema ${version}`);
		// Lets freed pages be returned to the disk. Must be set before the file has any content.
		if (version === 0) handle.exec('PRAGMA auto_vacuum = INCREMENTAL');
		const problem = setUp(handle);
		if (version !== schemaVersion) createTables(handle);
		handle.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
		return {handle, problem, identity};
	} catch (error) {
		if (handle.isOpen) handle.close();
		throw error;
	}
}

/** A map without its log is stale, since a log is created first; sqlite would use it for a new log. */
export function isMapStale(file: string): boolean {
	return statSync(`${file}-shm`, {throwIfNoEntry: false})?.isFile() === true && !existsSync(`${file}-wal`);
}

export function removeStaleMap(file: string): void {
	if (isMapStale(file)) rmSync(`${file}-shm`, {force: true});
}

/** An in-memory database with the same tables. */
export function openMemory(): DatabaseSync {
	const handle = new DatabaseSync(':memory:');
	createTables(handle);
	return handle;
}

/**
 * Uses write-ahead logging, so that readers don't wait for another process's writer or vice versa. An sqlite
 * with the WAL-reset bug uses a rollback journal instead, which is slower but safe.
 */
function setUp(handle: DatabaseSync): string | undefined {
	const {version} = handle.prepare('SELECT sqlite_version() AS version').get() as {version: string};
	const wanted = isIntact(version) ? 'wal' : 'truncate';
	const got = journalMode(handle, wanted);
	handle.exec(
		`PRAGMA synchronous = ${got === 'wal' ? 'NORMAL' : 'FULL'}; PRAGMA journal_size_limit = ${logLimit}; PRAGMA temp_store = MEMORY`,
	);
	if (wanted === 'wal' || got !== 'wal') return undefined;
	return `sqlite ${version} in this Node can damage data when several Quarterdecks run: update Node, or run only one.`;
}

/** If another process has the file locked, the mode stays unchanged, and the next start tries again. */
function journalMode(handle: DatabaseSync, wanted: string): string {
	try {
		return modeOf(handle.prepare(`PRAGMA journal_mode = ${wanted}`).get());
	} catch (error) {
		if (reasonOf(error) !== 'busy') throw error;
		return modeOf(handle.prepare('PRAGMA journal_mode').get());
	}
}

function modeOf(row: unknown): string {
	return (row as {journal_mode: string}).journal_mode;
}

export function isIntact(version: string): boolean {
	const parts = version.split('.').map(Number);
	for (const [i, minPart] of soundWal.entries()) {
		const part = parts[i] ?? 0;
		if (part !== minPart) return part > minPart;
	}
	return true;
}

/** Creates the tables of a new file. If two processes start together, the second finds the work done. */
function createTables(handle: DatabaseSync): void {
	handle.exec('BEGIN IMMEDIATE');
	try {
		if (versionOf(handle) !== schemaVersion) {
			if (handle.prepare('SELECT 1 FROM sqlite_schema').get()) throw new OtherVersionError();
			handle.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`);
		}
		handle.exec('COMMIT');
	} catch (error) {
		if (handle.isTransaction) handle.exec('ROLLBACK');
		throw error;
	}
}

export function versionOf(handle: DatabaseSync): number {
	return Number(
		(handle.prepare('PRAGMA user_version').get() as {user_version: number | bigint}).user_version,
	);
}
