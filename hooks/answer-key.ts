import {createHmac, timingSafeEqual} from 'node:crypto';
import {lstatSync} from 'node:fs';
import type {AskAnswer} from './ask-wire.ts';
import {readRegularFile} from './regular-file.ts';
import {currentEnvironment, type RuntimeEnvironment} from './runtime-folder.ts';
import {stateFolders} from './spool.ts';

/**
 * The key that proves an answer to be the user's: programs and hooks read it from the state folder. A sandbox that hides
 * that folder from an agent hides the key, too.
 */
export const answerKeyName = 'answer-key';

/** The key in a state folder; undefined if there is none, or others could have written or read it. */
export function readAnswerKey(
	stateFolder: string,
	{uid, platform} = currentEnvironment(),
): string | undefined {
	const file = `${stateFolder}/${answerKeyName}`;
	try {
		const stat = lstatSync(file);
		if (platform !== 'win32' && (stat.uid !== uid || (stat.mode & 0o077) !== 0)) return undefined;
		const key = readRegularFile(file).trim();
		return /^[\w-]{43}$/.test(key) ? key : undefined;
	} catch {
		return undefined;
	}
}

/** The signature of an answer: of every field that decides what the hook prints. */
export function signAnswer(
	key: string,
	{answer, allows, applies, words, until}: Omit<AskAnswer, 'signature'>,
): string {
	const text = JSON.stringify([answer, allows, applies, words ?? null, until]);
	return createHmac('sha256', key).update(text).digest('hex');
}

/** Whether a program of this user has signed the answer. */
export function isSigned(answer: AskAnswer, environment: RuntimeEnvironment): boolean {
	const given = Buffer.from(answer.signature);
	return [...stateFolders(environment)].some(folder => {
		const key = readAnswerKey(folder, environment);
		if (key === undefined) return false;
		const right = Buffer.from(signAnswer(key, answer));
		return right.length === given.length && timingSafeEqual(right, given);
	});
}
