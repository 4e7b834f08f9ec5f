import {closeSync, openSync, rmSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {makeFolder} from '../../../hooks/make-folder.ts';
import {rollBack} from './connection.ts';
import {busyTimeout} from './open-file.ts';
import {reasonOf, toStorageError} from './storage-error.ts';

/** How long a repair waits for another program's repair or write in all and per attempt, ms. */
const repairTimeout = 30_000;
const repairStep = 1000;
const trialTimeout = 500;

/**
 * Runs a repair of `file` while no other program repairs it. The lock is an empty file next to it that is
 * never removed: otherwise two programs could each hold a lock of their own. Throws `StorageError` when
 * another program's repair doesn't end.
 */
export function withRepairLock<T>(file: string, repair: () => T, timeout = repairTimeout): T {
	const lock = repairLock(file, timeout);
	try {
		return repair();
	} finally {
		lock?.close();
	}
}

/** Undefined where files can't be created or locked: no program can hold the lock there. */
function repairLock(file: string, timeout: number): DatabaseSync | undefined {
	let lock: DatabaseSync | undefined;
	for (let waited = 0; ; waited += repairStep) {
		try {
			if (!lock) {
				makeFolder(dirname(file), 0o700);
				closeSync(openSync(`${file}.repair`, 'a', 0o600));
				lock = new DatabaseSync(`${file}.repair`, {timeout: repairStep});
			}
			lock.exec('BEGIN EXCLUSIVE');
			return lock;
		} catch (error) {
			const reason = reasonOf(error);
			const isHeld = reason === 'busy' && canLock(file);
			if (isHeld && waited < timeout) continue;
			lock?.close();
			if (isHeld || reason === 'too-many-files') throw toStorageError(error);
			return undefined;
		}
	}
}

/** Whether the file system can lock. sqlite reports "busy" also where it can't, so this locks a new, unused file. */
export function canLock(file: string): boolean {
	const trial = `${file}.lock-test`;
	try {
		// Other programs may be trying it, too.
		const handle = new DatabaseSync(trial, {timeout: trialTimeout});
		try {
			handle.exec('BEGIN EXCLUSIVE');
		} finally {
			handle.close();
		}
		return true;
	} catch (error) {
		return reasonOf(error) !== 'busy' && reasonOf(error) !== 'no-locks';
	} finally {
		rmSync(trial, {force: true});
	}
}

/**
 * Waits for another program's write and lets none start while `run` runs. Throws `StorageError` when that write
 * doesn't end. A file too damaged to be locked can't be written, either.
 */
export function withoutWriters<T>(handle: DatabaseSync, run: () => T): T {
	try {
		handle.exec(`PRAGMA busy_timeout = ${repairTimeout}; BEGIN IMMEDIATE`);
	} catch (error) {
		if (reasonOf(error) === 'busy') throw toStorageError(error);
	} finally {
		handle.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
	}
	try {
		return run();
	} finally {
		rollBack(handle);
	}
}
