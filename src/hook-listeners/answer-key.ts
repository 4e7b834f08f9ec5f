import {randomBytes} from 'node:crypto';
import {rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {answerKeyName, readAnswerKey} from '../../hooks/ask-wire.ts';

/** Reads the key with which this user's programs answer requests, or creates it; undefined if that fails. */
export function openAnswerKey(stateFolder: string): string | undefined {
	const file = join(stateFolder, answerKeyName);
	try {
		// A crash can leave it empty.
		if (statSync(file, {throwIfNoEntry: false})?.size === 0) rmSync(file);
		const key = `${randomBytes(32).toString('base64url')}\n`;
		writeFileSync(file, key, {flag: 'wx', mode: 0o600});
	} catch {
		// It exists, or the disk can't be written.
	}
	return readAnswerKey(stateFolder);
}
