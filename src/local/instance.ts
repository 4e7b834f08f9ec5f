import {randomUUID} from 'node:crypto';
import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {reasonOf, toStorageError} from '../db/file/storage-error.ts';
import {makePrivateFolder} from './private-files.ts';

/**
 * One running service over a folder. Two programs on one machine may share a folder, so each instance claims
 * its work; another instance takes over the work of one that is gone.
 */
export type Instance = ReturnType<typeof registerInstance>;

/**
 * Registers an instance by holding an exclusive sqlite lock on its own file. The system releases the lock
 * however the process ends.
 */
export function registerInstance(folder: string) {
	makePrivateFolder(folder);
	const id = randomUUID();
	const fileOf = (other: string) => join(folder, `${other}.lock`);
	const lock = openLock(fileOf(id));
	lock.exec('BEGIN EXCLUSIVE');
	return {
		id,
		isAlive(other: string): boolean {
			if (other === id) return true;
			if (!existsSync(fileOf(other))) return false;
			const probe = openLock(fileOf(other));
			try {
				probe.exec('BEGIN IMMEDIATE');
			} catch {
				return true;
			} finally {
				probe.close();
			}
			rmSync(fileOf(other), {force: true});
			return false;
		},
		close(): void {
			lock.close();
			rmSync(fileOf(id), {force: true});
		},
	};
}

function openLock(file: string): DatabaseSync {
	try {
		return new DatabaseSync(file, {timeout: 0});
	} catch (error) {
		throw reasonOf(error) === 'too-many-files' ? toStorageError(error) : error;
	}
}
