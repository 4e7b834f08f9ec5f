import {randomBytes} from 'node:crypto';
import {chmodSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {makeFolder} from '../../hooks/make-folder.ts';
import {Secret} from '../config/secret.ts';
import {errorCode, LocalServiceError} from './local-error.ts';

/** Makes a folder that only its owner can enter. Throws `LocalServiceError` when it can't be made or entered. */
export function makePrivateFolder(folder: string): void {
	try {
		makeFolder(folder, 0o700);
		chmodSync(folder, 0o700);
	} catch (cause) {
		throw new LocalServiceError(
			`the folder ${folder} can't be used (${errorCode(cause)}): make it writable, or set XDG_STATE_HOME to a folder that is`,
			{cause},
		);
	}
}

/**
 * The bearer key of this folder's service: 32 random bytes in base64url, made once and kept 0600.
 * A key file that others can read is refused.
 */
export function openKey(folder: string): Secret {
	const file = join(folder, 'key');
	try {
		writeFileSync(file, randomBytes(32).toString('base64url'), {flag: 'wx', mode: 0o600});
	} catch (cause) {
		if (errorCode(cause) !== 'EEXIST')
			throw new LocalServiceError(`the key file ${file} can't be written`, {cause});
	}
	if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
		throw new LocalServiceError(`the key file ${file} can be read by others: chmod 600 it, or remove it`);
	const key = readFileSync(file, 'utf8').trim();
	if (key.length < 32)
		throw new LocalServiceError(`the key file ${file} is damaged: remove it to get a new key`);
	return new Secret(key);
}
