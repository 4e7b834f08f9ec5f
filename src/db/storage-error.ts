/**
 * Why kept data could not be read or written. `full`: no room on the disk. `read-only`: the file can't be changed.
 * `busy`: another process held it for longer than 5 s. `damaged`: it can't be read. `failed`: anything else.
 */
export type StorageReason = 'full' | 'read-only' | 'busy' | 'damaged' | 'failed';

/** Why, and what to do: each two sentences. */
const advice: Record<Exclude<StorageReason, 'failed'>, string> = {
	full: 'the disk is full. Make room, then try again.',
	'read-only': 'it is read-only. Check the rights of its folder.',
	busy: 'another program holds it. Close the other one or try again.',
	damaged: 'the file is damaged. Start again to move it aside.',
};

/** The one error that kept data raises. Reads go on after a failed write; nothing of it was kept. */
export class StorageError extends Error {
	override readonly name = 'StorageError';
	readonly reason: StorageReason;

	constructor(reason: StorageReason, cause: unknown) {
		super(`Kept data could not be used: ${adviceFor(reason, cause)}`, {cause});
		this.reason = reason;
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
	[26, 'damaged'],
]);
/** A disk quota or a file size limit reaches sqlite as a plain failed write. */
const failedWrite = 778;

/** The reason in an error of node:sqlite or node:fs. */
export function reasonOf(error: unknown): StorageReason {
	const {errcode, code} = error as {errcode?: unknown; code?: unknown};
	if (typeof errcode === 'number') {
		if (errcode === failedWrite) return 'full';
		return reasons.get(errcode & 0xff) ?? 'failed';
	}
	if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
	if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'read-only';
	return 'failed';
}

export function toStorageError(error: unknown): StorageError {
	return isStorageError(error) ? error : new StorageError(reasonOf(error), error);
}

/** Did node:sqlite raise it? Anything else that passes through a transaction is a fault of ours and stays as it is. */
export function isSqliteError(error: unknown): boolean {
	return error instanceof Error && (error as {code?: unknown}).code === 'ERR_SQLITE_ERROR';
}

/** Only what has no words of ours is told in the system's. */
export function adviceFor(reason: StorageReason, cause: unknown): string {
	return reason === 'failed' ? `${messageOf(cause)}.` : advice[reason];
}

function messageOf(cause: unknown): string {
	return cause instanceof Error ? cause.message : String(cause);
}
