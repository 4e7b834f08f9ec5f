import {envelopeOf} from './envelope.ts';
import {isObject, type JsonObject, parseObject} from './json.ts';
import {maxPayload} from './payload.ts';
import type {Envelope} from './wire.ts';

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
	/** By the user's key (`hooks/answer-key.ts`): a socket alone proves nothing. */
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
	return {answer, allows, applies, until, signature, ...(typeof words === 'string' && {words})};
}
