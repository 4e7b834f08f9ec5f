import {accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {requireRegularFile} from '../../../hooks/regular-file.ts';
import {makeFolder} from '../../../hooks/runtime-folder.ts';
import {schema, schemaVersion} from './schema.ts';
import {OtherVersionError, reasonOf, SchemaError} from './storage-error.ts';

/** How long a statement waits for another process, ms, and the screen with it; opening waits less. */
const busyTimeout = 3000;
export const openingTimeout = 1500;
/** First release without the WAL-reset bug, which lets two processes damage a file in WAL mode. */
const firstSound = [3, 51, 3] as const;

/** After a checkpoint, sqlite truncates the write-ahead log to no fewer than this many bytes. */
const logLimit = 8 * 1024 * 1024;

/**
 * Opens the file, creating it if necessary: 0600, in a folder created with 0700 if missing. Throws `SchemaError` for a
 * newer program's file, `OtherVersionError`, and errors of node:fs and node:sqlite.
 */
export function openFile(file: string): DatabaseSync {
	makeFolder(dirname(file), 0o700);
	requireRegularFiles(file);
	requireWritable(file);
	if (statSync(file).mode & 0o077) chmodSync(file, 0o600);
	const handle = new DatabaseSync(file, {timeout: openingTimeout});
	try {
		const version = versionOf(handle);
		if (version > schemaVersion) throw new SchemaError(`${file} has schema ${version}`);
		// Lets freed pages be returned to the disk. Must be set before the file has any content: later, all programs that
		// start together would wait for each other, only to change nothing.
		if (statSync(file).size === 0) handle.exec('PRAGMA auto_vacuum = INCREMENTAL');
		setJournal(handle);
		if (version !== schemaVersion) createTables(handle);
		handle.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
		return handle;
	} catch (error) {
		if (handle.isOpen) handle.close();
		throw error;
	}
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
function setJournal(handle: DatabaseSync): void {
	const isWal = hasSoundWal(process.versions.sqlite ?? '');
	try {
		handle.exec(`PRAGMA journal_mode = ${isWal ? 'WAL' : 'TRUNCATE'}`);
	} catch (error) {
		// Another process has the file open in its mode.
		if (reasonOf(error) !== 'busy') throw error;
	}
	handle.exec(
		`PRAGMA synchronous = ${isWal ? 'NORMAL' : 'FULL'}; PRAGMA journal_size_limit = ${logLimit}; PRAGMA temp_store = MEMORY`,
	);
}

export function hasSoundWal(version: string): boolean {
	const parts = version.split('.').map(Number);
	for (const [i, minPart] of firstSound.entries()) {
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

function versionOf(handle: DatabaseSync): number {
	return Number(
		(handle.prepare('PRAGMA user_version').get() as {user_version: number | bigint}).user_version,
	);
}

/** Files that sqlite creates beside a database. */
export const sideFiles = ['-wal', '-shm', '-journal'] as const;

/** Size of a database with its side files, bytes. */
export function bytesOnDisk(file: string): number {
	const sizes = ['', ...sideFiles].map(suffix => statSync(file + suffix, {throwIfNoEntry: false})?.size ?? 0);
	return sizes.reduce((sum, size) => sum + size, 0);
}

/** Throws `NotAFileError`. */
export function requireRegularFiles(file: string): void {
	for (const suffix of ['', ...sideFiles]) requireRegularFile(file + suffix);
}

/** Creates a missing database file: sqlite would apply the umask; its -wal and -shm inherit the permissions. */
export function requireWritable(file: string): void {
	// Closing a descriptor of a file in use would drop all locks that sqlite holds on it in this process.
	if (existsSync(file)) accessSync(file, constants.W_OK);
	else closeSync(openSync(file, 'a', 0o600));
}

/** Whether nothing is at a path; throws if that can't be told, as when a file is in place of its folder. */
export function isMissing(file: string): boolean {
	try {
		statSync(file);
		return false;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		return true;
	}
}

/** Identifies the file now at a path, regardless of its content; undefined without one. */
export function fileIdentity(file: string): string | undefined {
	const stat = statSync(file, {bigint: true, throwIfNoEntry: false});
	return stat && `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
}
