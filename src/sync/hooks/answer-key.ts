import {randomBytes} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {answerKeyName, readAnswerKey} from '../../../hooks/answer-key.ts';

/** Reads the key with which this user's programs answer requests, or creates it; undefined if that fails. */
export function openAnswerKey(stateFolder: string): string | undefined {
	try {
		const key = `${randomBytes(32).toString('base64url')}\n`;
		writeFileSync(join(stateFolder, answerKeyName), key, {flag: 'wx', mode: 0o600});
	} catch {
		// It exists, or the disk can't be written.
	}
	return readAnswerKey(stateFolder);
}
