import {closeSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {reasonOf, toStorageError} from '../db/file/storage-error.ts';

/** Whoever holds the lock on this file is the service of the folder. */
export function lockFile(folder: string): string {
	return join(folder, 'service.lock');
}

export type Lock = {release(): void};

/**
 * Takes an exclusive sqlite lock on a file, which the system releases however the process ends. Returns undefined if
 * another process, or this one, holds it.
 */
export function takeLock(file: string): Lock | undefined {
	let lock: DatabaseSync | undefined;
	try {
		closeSync(openSync(file, 'a', 0o600));
		lock = new DatabaseSync(file, {timeout: 0});
		lock.exec('BEGIN EXCLUSIVE');
	} catch (error) {
		lock?.close();
		const reason = reasonOf(error);
		if (reason === 'busy') return undefined;
		throw reason === 'too-many-files' ? toStorageError(error) : error;
	}
	const held = lock;
	return {release: () => held.close()};
}
