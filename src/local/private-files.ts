import {randomBytes, randomUUID} from 'node:crypto';
import {chmodSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {makeFolder} from '../../hooks/runtime-folder.ts';
import {Secret} from '../config/secret.ts';
import {errorCode, LocalServiceError} from './local-error.ts';

/** Creates a folder that only its owner can access. Throws `LocalServiceError` with the advice if that fails. */
export function makePrivateFolder(folder: string): void {
	try {
		makeFolder(folder, 0o700);
		chmodSync(folder, 0o700);
	} catch (cause) {
		const advice = 'set XDG_STATE_HOME to another folder';
		const code = errorCode(cause);
		const isFile = code === 'EEXIST' || code === 'ENOTDIR';
		throw new LocalServiceError(
			isFile
				? `${folder} is a file, or below one: ${advice}`
				: `the folder ${folder} can't be used (${code}): make it writable, or ${advice}`,
			{cause},
		);
	}
}

/** Atomically writes a file that only its owner can read. Throws `LocalServiceError`. */
export function writePrivateFile(file: string, text: string): void {
	const temporary = `${file}.${randomUUID()}`;
	try {
		writeFileSync(temporary, text, {flag: 'wx', mode: 0o600});
		renameSync(temporary, file);
	} catch (cause) {
		rmSync(temporary, {force: true});
		throw new LocalServiceError(`the file ${file} can't be written (${errorCode(cause)})`, {cause});
	}
}

/** A new bearer key: 32 random bytes in base64url. */
export function createKey(): Secret {
	return new Secret(randomBytes(32).toString('base64url'));
}
