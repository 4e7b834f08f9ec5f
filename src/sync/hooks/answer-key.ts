import {randomBytes} from 'node:crypto';
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {readRegularFile} from '../../../hooks/regular-file.ts';

/**
 * Reads the key with which a command of this user answers requests in a running program; undefined if there is none.
 * `creates`: creates it first if necessary. A sandbox that hides the state folder from an agent hides the key, too.
 */
export function answerKey(stateFolder: string, creates: boolean): string | undefined {
	const file = join(stateFolder, 'answer-key');
	try {
		if (creates && !existsSync(file))
			writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, {flag: 'wx', mode: 0o600});
	} catch {
		// Another program has just created it, or the disk can't be written.
	}
	try {
		const key = readRegularFile(file).trim();
		return /^[\w-]{43}$/.test(key) ? key : undefined;
	} catch {
		return undefined;
	}
}
