import {randomBytes} from 'node:crypto';
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {readRegularFile} from '../../../hooks/regular-file.ts';

/**
 * The key with which a command of this user answers requests in a running program. Created by the first program that
 * needs it; undefined if that fails. An agent's own sandbox that hides the state folder hides the key.
 */
export function answerKey(stateFolder: string, isCreated: boolean): string | undefined {
	const file = join(stateFolder, 'answer-key');
	try {
		if (isCreated && !existsSync(file))
			writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, {flag: 'wx', mode: 0o600});
	} catch {
		// Another program was faster, or nothing can be written.
	}
	try {
		const key = readRegularFile(file).trim();
		return /^[\w-]{43}$/.test(key) ? key : undefined;
	} catch {
		return undefined;
	}
}
