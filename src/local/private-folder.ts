import {chmodSync} from 'node:fs';
import {makeFolder} from '../../hooks/runtime-folder.ts';
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
