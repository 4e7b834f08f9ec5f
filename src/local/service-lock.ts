import {closeSync, openSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout as delay} from 'node:timers/promises';
import {reasonOf} from '../db/file/storage-error.ts';
import {ownProgram} from '../domain/own-program.ts';
import {LocalServiceError} from './local-error.ts';
import {makePrivateFolder} from './private-folder.ts';
import {storedServicePid} from './service-files.ts';

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
		if (reasonOf(error) === 'busy') return undefined;
		throw error;
	}
	const held = lock;
	return {release: () => held.close()};
}

/** How long to wait for an earlier service to end, ms: its agents may take two seconds. */
const lockTimeout = 5000;

/** Takes the lock that says which process is the service of a folder. Throws `LocalServiceError` if another one is. */
export async function lockFolder(folder: string): Promise<Lock> {
	makePrivateFolder(folder);
	const until = performance.now() + lockTimeout;
	for (;;) {
		const lock = takeLock(lockFile(folder));
		if (lock) return lock;
		if (performance.now() > until) throw new LocalServiceError(runsAlready(folder));
		await delay(50);
	}
}

function runsAlready(folder: string): string {
	const pid = storedServicePid(folder);
	return pid === undefined
		? `another program has locked ${folder}, or its file system can't lock files: close that program, or set XDG_STATE_HOME to a local folder`
		: `the embedded service runs already, in process ${pid}, over ${folder}: ${ownProgram} serve --stop ends it`;
}
