import {createHash, createHmac, timingSafeEqual} from 'node:crypto';
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
	try {
		const key = readRegularFile(`${stateFolder}/${answerKeyName}`, stat => {
			if (platform !== 'win32' && (stat.uid !== uid || (stat.mode & 0o077) !== 0))
				throw new Error('the key is not ours alone');
		}).trim();
		return /^[\w-]{43}$/.test(key) ? key : undefined;
	} catch {
		return undefined;
	}
}

/** What an answer calls an ask: a digest of its whole line, so that it can't stand for an ask with other content. */
export function askDigest(line: string): string {
	return createHash('sha256').update(line).digest('hex').slice(0, 32);
}

export function sign(key: string, value: unknown): string {
	return createHmac('sha256', key).update(JSON.stringify(value)).digest('hex');
}

export function isSignature(given: unknown, key: string, value: unknown): boolean {
	const [a, b] = [Buffer.from(`${given}`), Buffer.from(sign(key, value))];
	return a.length === b.length && timingSafeEqual(a, b);
}

/** Signs every field that decides what the hook prints. */
export function signAnswer(key: string, answer: Omit<AskAnswer, 'signature'>): string {
	return sign(key, signedFields(answer));
}

function signedFields({answer, allows, applies, words, until}: Omit<AskAnswer, 'signature'>) {
	return [answer, allows, applies, words ?? null, until];
}

/** The user's key if the answer is signed with it. */
export function signingKey(answer: AskAnswer, environment: RuntimeEnvironment): string | undefined {
	for (const folder of stateFolders(environment)) {
		const key = readAnswerKey(folder, environment);
		if (key !== undefined && isSignature(answer.signature, key, signedFields(answer))) return key;
	}
	return undefined;
}

/** Signs that the hook has taken this answer and no other: whoever passed it on can't say so. */
export function signTaken(key: string, {signature}: Pick<AskAnswer, 'signature'>): string {
	return sign(key, ['taken', signature]);
}
