import {accessSync, constants} from 'node:fs';
import {NotAFileError} from '../../../hooks/regular-file.ts';

/**
 * Why a file could not be read or written. `full`: no space on the disk. `read-only`: the file can't be
 * changed. `busy`: another process locked it for too long. `damaged`: it can't be read. `newer`: a newer
 * program wrote it. `not-a-file`: a folder or a pipe is in its place. `failed`: anything else.
 */
type StorageReason = 'full' | 'read-only' | 'busy' | 'damaged' | 'newer' | 'not-a-file' | 'failed';

/** The reason and what to do: two sentences each. */
const advice: Record<Exclude<StorageReason, 'failed' | 'not-a-file'>, string> = {
	full: 'the disk is full. Make room, then try again.',
	'read-only': "it is read-only. Check its folder's permissions.",
	busy: "another program has locked it, or its file system can't lock files. Close that program, or set XDG_STATE_HOME to a folder on a local disk.",
	damaged: 'the file is damaged. Start again to move it aside.',
	newer: 'a newer version changed it. Update Quarterdeck and start it again.',
};

/** The only error the database throws. A failed write leaves no changes, and reads still work. */
export class StorageError extends Error {
	override readonly name = 'StorageError';
	readonly reason: StorageReason;
	/** The reason and what to do, for callers that name what failed themselves. */
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

/** Returns the result of `run`, or undefined on a storage error that is reported elsewhere. */
export function unlessStorageFails<T>(run: () => T): T | undefined {
	try {
		return run();
	} catch (error) {
		if (isStorageError(error)) return undefined;
		throw error;
	}
}

/** Primary result codes (https://sqlite.org/rescode.html), and more specific extended ones. */
const reasons = new Map<number, StorageReason>([
	[3, 'read-only'],
	[5, 'busy'],
	[6, 'busy'],
	[8, 'read-only'],
	[11, 'damaged'],
	[13, 'full'],
	[14, 'read-only'],
	[15, 'busy'],
	[26, 'damaged'],
]);
/** I/O errors (extended codes) from locking: RDLOCK, UNLOCK, CHECKRESERVEDLOCK, LOCK, SHMLOCK. */
const lockErrors: ReadonlySet<number> = new Set([2314, 2058, 3594, 3850, 5130]);
/** sqlite reports a disk quota or a file size limit as a plain failed write. */
const failedWrite = 778;

const plainError = 1;
const noSuchTable = /^no such (?:table|column): /;

/** The path no longer leads to the open file: no file is there, or another one is. */
export class FileLostError extends Error {
	override readonly name = 'FileLostError';
	readonly loss: 'removed' | 'replaced';

	constructor(loss: FileLostError['loss']) {
		super(`The open database file was ${loss}`);
		this.loss = loss;
	}
}

export class SchemaError extends Error {
	override readonly name = 'SchemaError';
}

/** The file has tables of another version, which no program knows any more. */
export class OtherVersionError extends Error {
	override readonly name = 'OtherVersionError';
}

/** The reason behind an error of node:sqlite or node:fs. */
export function reasonOf(error: unknown): StorageReason {
	if (error instanceof SchemaError) return 'newer';
	if (error instanceof NotAFileError) return 'not-a-file';
	if (error instanceof FileLostError || error instanceof OtherVersionError) return 'damaged';
	const {errcode, code, message} = error as {[name: string]: unknown};
	if (typeof errcode === 'number') {
		if (errcode === failedWrite) return 'full';
		if (lockErrors.has(errcode)) return 'busy';
		if (errcode === plainError && noSuchTable.test(String(message))) return 'damaged';
		return reasons.get(errcode & 0xff) ?? 'failed';
	}
	if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
	if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'read-only';
	return 'failed';
}

export function toStorageError(error: unknown): StorageError {
	return isStorageError(error) ? error : new StorageError(reasonOf(error), error);
}

/** `toStorageError` for a failed write to `file`: sqlite reports a disk that became read-only like a full one. */
export function toWriteError(error: unknown, file: string): StorageError {
	const failed = toStorageError(error);
	if (failed.reason !== 'full') return failed;
	try {
		accessSync(file, constants.W_OK);
		return failed;
	} catch (cause) {
		return (cause as NodeJS.ErrnoException).code === 'EROFS' ? toStorageError(cause) : failed;
	}
}

/** Whether the file or node:sqlite raised the error; any other error in a transaction is a bug. */
export function isFileError(error: unknown): boolean {
	if (error instanceof FileLostError) return true;
	return error instanceof Error && (error as {code?: unknown}).code === 'ERR_SQLITE_ERROR';
}

/** Uses the system's message only for reasons without one of ours. */
export function adviceFor(reason: StorageReason, cause: unknown): string {
	if (reason === 'not-a-file') return `${messageOf(cause)}. Move it away and start again.`;
	return reason === 'failed' ? `${messageOf(cause)}.` : advice[reason];
}

function messageOf(cause: unknown): string {
	return cause instanceof Error ? cause.message : String(cause);
}
