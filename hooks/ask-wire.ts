import {createHash, createHmac, timingSafeEqual} from 'node:crypto';
import {isObject, type JsonObject, parseObject} from './json.ts';
import {maxPayload} from './payload.ts';
import {readRegularFile} from './regular-file.ts';
import {currentEnvironment, type RuntimeEnvironment} from './runtime-folder.ts';
import {stateFolders} from './spool.ts';
import {type Envelope, envelopeOf} from './wire.ts';

/**
 * The protocol between a hook that waits for an answer and the programs that show its request: lines of JSON over a
 * socket of its own kind, and nowhere else. What a tool would do is never written to a disk.
 *
 *     hook    -> an `Ask`
 *     program -> {"answer": DIGEST, "allows": true, "applies": [0], "until": ms, "signature": HEX}
 *     hook    -> {"taken": HEX}, a signature of that one
 *
 * Either side gives up by closing the connection.
 */

/** Maximum length of an ask, bytes of UTF-8: a whole payload and its envelope. */
export const maxAsk = maxPayload + 64 * 1024;
/** Maximum length of an answer, bytes of UTF-8. */
export const maxAnswerLine = 64 * 1024;

/** A client's request for a permission: the envelope of its event, and the tool's name and input. */
export type Ask = Envelope & {
	readonly tool: string;
	readonly input: JsonObject;
	/** Changes of its settings that the client suggests. The hook repeats them itself, so that no program can change them. */
	readonly suggestions: readonly JsonObject[];
};

export type AskAnswer = {
	/** `askDigest` of the ask that was shown. */
	readonly answer: string;
	readonly allows: boolean;
	/** Indexes of the suggestions that the user accepted, too. */
	readonly applies: readonly number[];
	readonly words?: string;
	/** Unix ms. The hook ignores an answer that it reads later. */
	readonly until: number;
	/** By the user's key: a socket alone proves nothing. */
	readonly signature: string;
};

/** Decodes a line from an untrusted writer; undefined if it is no ask. */
export function decodeAsk(line: string): Ask | undefined {
	const value = parseObject(line);
	const envelope = value && envelopeOf(value);
	if (!envelope || typeof value.tool !== 'string' || value.tool === '' || !isObject(value.input))
		return undefined;
	const suggestions = Array.isArray(value.suggestions) ? value.suggestions.filter(isObject) : [];
	return {...envelope, tool: value.tool.slice(0, 200), input: value.input, suggestions};
}

/** Decodes a line from an untrusted writer; undefined if it is no answer. */
export function decodeAnswer(line: string): AskAnswer | undefined {
	const {answer, allows, applies, words, until, signature} = parseObject(line) ?? {};
	if (typeof answer !== 'string' || typeof allows !== 'boolean' || typeof signature !== 'string')
		return undefined;
	if (typeof until !== 'number' || !Array.isArray(applies) || !applies.every(Number.isInteger))
		return undefined;
	return {answer, allows, applies, until, signature, words: typeof words === 'string' ? words : undefined};
}

/**
 * The key that proves an answer to be the user's: programs and hooks read it from the state folder. A sandbox that hides
 * that folder from an agent hides the key, too.
 */
export const answerKeyName = 'answer-key';

/** The key in a state folder; undefined if there is none, or others could have written or read it. */
export function readAnswerKey(stateFolder: string, {uid} = currentEnvironment()): string | undefined {
	try {
		const key = readRegularFile(`${stateFolder}/${answerKeyName}`, stat => {
			if (stat.uid !== uid || (stat.mode & 0o077) !== 0) throw new Error('the key is not ours alone');
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
