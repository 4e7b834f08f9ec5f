import {envelopeOf} from './envelope.ts';
import {isObject, type JsonObject, parseObject} from './json.ts';
import {maxPayload} from './payload.ts';
import type {Envelope} from './wire.ts';

/**
 * The protocol between a hook that waits for an answer and the programs that show its request: lines of JSON over a
 * socket of its own kind, and nowhere else. What a tool would do is never written to a disk.
 *
 *     hook    -> an `Ask`
 *     program -> {"answer": ID, "option": "once", "until": ms}
 *     hook    -> {"taken": ID}
 *
 * Either side gives up by closing the connection.
 */

/** Maximum length of an ask, bytes of UTF-8: a whole payload and its envelope. */
export const maxAsk = maxPayload + 64 * 1024;
/** Maximum length of an answer, bytes of UTF-8. */
export const maxAnswerLine = 64 * 1024;

const askOptions = ['once', 'always', 'no'] as const;

/** A client's request for a permission: the envelope of its event, and the tool's name and input. */
export type Ask = Envelope & {
	readonly tool: string;
	readonly input: JsonObject;
	/** Rules that the client suggests for "always". The hook repeats them itself, so that no program can change them. */
	readonly suggestions: readonly JsonObject[];
};

/** The user's answer. `until` (Unix ms): the hook ignores an answer that it reads later. */
export type AskAnswer = {
	readonly answer: string;
	readonly option: (typeof askOptions)[number];
	readonly words?: string;
	readonly until: number;
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
	const {answer, option: name, words, until} = parseObject(line) ?? {};
	const option = askOptions.find(each => each === name);
	if (typeof answer !== 'string' || option === undefined || typeof until !== 'number') return undefined;
	return {answer, option, until, ...(typeof words === 'string' && words !== '' && {words})};
}
