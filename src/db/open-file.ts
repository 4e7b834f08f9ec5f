import {chmodSync, closeSync, existsSync, openSync, rmSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {makeFolder} from '../../hooks/make-folder.ts';
import {backUp} from './backup.ts';
import {fileIdentity, logLimit, requireRegularFiles} from './file-identity.ts';
import {migrations} from './migrations.ts';
import {reasonOf} from './storage-error.ts';

/** How long a statement waits for another process, ms: a key waits as long. At the start something is said instead. */
export const busyTimeout = 3000;
export const openingTimeout = 1500;
/** First release without the WAL-reset fault, by which two processes could damage a file in WAL mode. */
const soundWal = [3, 51, 3] as const;

export type OpenedFile = {
	readonly handle: DatabaseSync;
	readonly problem?: string;
	/** Names the file that was opened, as `fileIdentity` does. */
	readonly identity: string | undefined;
};

/**
 * Opens and, when needed, creates and migrates the file: 0600, in a folder that is made 0700 when it is not there.
 * Raises what node:fs and node:sqlite raise.
 */
export function openFile(file: string): OpenedFile {
	makeFolder(dirname(file), 0o700);
	requireRegularFiles(file);
	removeStaleMap(file);
	// sqlite would make it with the umask's rights; its -wal and -shm files take the rights of the file itself.
	closeSync(openSync(file, 'a', 0o600));
	const identity = fileIdentity(file);
	if (statSync(file).mode & 0o077) chmodSync(file, 0o600);
	const handle = new DatabaseSync(file, {timeout: openingTimeout});
	try {
		const version = schemaVersion(handle);
		if (version > migrations.length) {
			handle.close();
			return {...openNewer(file, version), identity};
		}
		// Room that is freed can be given back to the disk. It must be known before anything is in the file.
		if (version === 0) handle.exec('PRAGMA auto_vacuum = INCREMENTAL');
		const problem = setUp(handle);
		if (version < migrations.length) {
			if (version > 0) backUp(handle, file, version);
			migrate(handle);
		}
		handle.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
		return {handle, problem, identity};
	} catch (error) {
		if (handle.isOpen) handle.close();
		throw error;
	}
}

/** The memory map of a log that was removed would be used for a new one. A log is created before its map. */
function removeStaleMap(file: string): void {
	if (existsSync(`${file}-shm`) && !existsSync(`${file}-wal`)) rmSync(`${file}-shm`, {force: true});
}

/** The same tables, kept nowhere. */
export function openMemory(): DatabaseSync {
	const handle = new DatabaseSync(':memory:');
	migrate(handle);
	return handle;
}

/** A newer Quarterdeck wrote it: its rows can be read, and what it means by new columns must not be spoilt. */
function openNewer(file: string, version: number): Omit<OpenedFile, 'identity'> {
	return {
		handle: new DatabaseSync(file, {readOnly: true, timeout: busyTimeout}),
		problem: `Saved data was written by a newer Quarterdeck (schema ${version}, this one knows ${migrations.length}): it is only read, and nothing new is saved. Update Quarterdeck and start it again.`,
	};
}

/**
 * Write-ahead logging, so that readers and the writer of two processes don't wait for each other. An sqlite with the
 * WAL-reset fault works with a rollback journal instead: slower, and sound.
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

/** Another process may hold the file just then; the mode stays what it was, and the next start tries again. */
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

/** All missing steps in one transaction. Of two processes that start together, one does it and the other finds it done. */
function migrate(handle: DatabaseSync): void {
	handle.exec('BEGIN IMMEDIATE');
	try {
		for (const step of migrations.slice(schemaVersion(handle))) handle.exec(step);
		handle.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
	} catch (error) {
		if (handle.isTransaction) handle.exec('ROLLBACK');
		throw error;
	}
}

export function schemaVersion(handle: DatabaseSync): number {
	return Number(
		(handle.prepare('PRAGMA user_version').get() as {user_version: number | bigint}).user_version,
	);
}
