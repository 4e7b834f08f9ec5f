import {closeSync, openSync} from 'node:fs';
import {NotAFileError} from '../../hooks/regular-file.ts';
import {FileLostError} from './file-identity.ts';

/**
 * Why kept data could not be read or written. `full`: no room on the disk. `read-only`: the file can't be changed.
 * `busy`: another process held it for too long. `damaged`: it can't be read. `newer`: a newer program changed its
 * schema. `no-locks`: its file system can't lock files. `not-a-file`: a folder or a pipe stands in its place.
 * `too-many-files`: this process may open no more. `failed`: anything else.
 */
export type StorageReason =
	| 'full'
	| 'read-only'
	| 'busy'
	| 'damaged'
	| 'newer'
	| 'no-locks'
	| 'not-a-file'
	| 'too-many-files'
	| 'failed';

/** Why, and what to do: each two sentences. */
const advice: Record<Exclude<StorageReason, 'failed' | 'not-a-file'>, string> = {
	full: 'the disk is full. Make room, then try again.',
	'read-only': "it is read-only. Check its folder's permissions.",
	busy: 'another program has locked it. Close that program or try again.',
	damaged: 'the file is damaged. Start again to move it aside.',
	newer: 'a newer version changed it. Update Quarterdeck and start it again.',
	'no-locks':
		"its file system can't lock files. Set XDG_STATE_HOME to a folder on a local disk and start again.",
	'too-many-files': 'too many open files. Raise `ulimit -n` and start again.',
};

/** The one error that kept data raises. Reads go on after a failed write; nothing of it was kept. */
export class StorageError extends Error {
	override readonly name = 'StorageError';
	readonly reason: StorageReason;
	/** Why, and what to do, for those who say themselves what failed. */
	readonly advice: string;

	constructor(reason: StorageReason, cause: unknown) {
		const advice = adviceFor(reason, cause);
		super(`Saved data could not be used: ${advice}`, {cause});
		this.reason = reason;
		this.advice = advice;
	}
}

export function isStorageError(error: unknown): error is StorageError {
	return error instanceof StorageError;
}

/** What `run` answers; nothing where the storage fails, for those to whom it is told elsewhere. */
export function unlessStorageFails<T>(run: () => T): T | undefined {
	try {
		return run();
	} catch (error) {
		if (isStorageError(error)) return undefined;
		throw error;
	}
}

/** Primary result codes of sqlite (https://sqlite.org/rescode.html), and the extended ones that say more. */
const reasons = new Map<number, StorageReason>([
	[3, 'read-only'],
	[5, 'busy'],
	[6, 'busy'],
	[8, 'read-only'],
	[11, 'damaged'],
	[13, 'full'],
	[14, 'read-only'],
	[15, 'no-locks'],
	[26, 'damaged'],
]);
/** I/O errors (extended codes) of locking: RDLOCK, UNLOCK, CHECKRESERVEDLOCK, LOCK, SHMLOCK. */
const lockErrors: ReadonlySet<number> = new Set([2314, 2058, 3594, 3850, 5130]);
/** A disk quota or a file size limit reaches sqlite as a plain failed write. */
const failedWrite = 778;

/** What opening a database takes at most: the file, its log, their index and the folder. */
const filesPerDatabase = 4;
const cantOpen = 14;
const plainError = 1;
const noSuchTable = /^no such (?:table|column): /;

/** A newer program has changed the schema while this one runs. */
export class SchemaError extends Error {
	override readonly name = 'SchemaError';
}

/** The file system can't lock files. */
export class LocksError extends Error {
	override readonly name = 'LocksError';
}

/** The reason in an error of node:sqlite or node:fs. */
export function reasonOf(error: unknown): StorageReason {
	if (error instanceof SchemaError) return 'newer';
	if (error instanceof LocksError) return 'no-locks';
	if (error instanceof NotAFileError) return 'not-a-file';
	if (error instanceof FileLostError) return 'damaged';
	const {errcode, code, message} = error as {[name: string]: unknown};
	if (typeof errcode === 'number') {
		if (errcode === failedWrite) return 'full';
		if (lockErrors.has(errcode)) return 'no-locks';
		if ((errcode & 0xff) === cantOpen && isOutOfFiles()) return 'too-many-files';
		if (errcode === plainError && noSuchTable.test(String(message))) return 'damaged';
		return reasons.get(errcode & 0xff) ?? 'failed';
	}
	if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
	if (code === 'EMFILE' || code === 'ENFILE') return 'too-many-files';
	if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'read-only';
	return 'failed';
}

/** Does the limit of open files leave no room for a database? sqlite only says that it can't open one. */
function isOutOfFiles(): boolean {
	const opened: number[] = [];
	try {
		for (let i = 0; i < filesPerDatabase; i++) opened.push(openSync(process.execPath, 'r'));
		return false;
	} catch {
		return true;
	} finally {
		for (const descriptor of opened) closeSync(descriptor);
	}
}

export function toStorageError(error: unknown): StorageError {
	return isStorageError(error) ? error : new StorageError(reasonOf(error), error);
}

/** Did the file or node:sqlite raise it? Anything else that passes through a transaction is a fault of ours and stays as it is. */
export function isFileError(error: unknown): boolean {
	if (error instanceof FileLostError || error instanceof SchemaError) return true;
	return error instanceof Error && (error as {code?: unknown}).code === 'ERR_SQLITE_ERROR';
}

/** Only what has no words of ours is told in the system's. */
export function adviceFor(reason: StorageReason, cause: unknown): string {
	if (reason === 'not-a-file') return `${messageOf(cause)}. Move it away and start again.`;
	return reason === 'failed' ? `${messageOf(cause)}.` : advice[reason];
}

function messageOf(cause: unknown): string {
	return cause instanceof Error ? cause.message : String(cause);
}
