import {pickPayload, type TextField} from './envelope.ts';
import {isObject} from './json.ts';
import type {HookData} from './wire.ts';

/** Maximum bytes of a payload to keep; the rest is read and dropped. */
export const maxPayload = 1024 * 1024;

/** Fields to extract from a payload that can't be parsed. */
const stubFields: readonly TextField[] = [
	'session_id',
	'hook_event_name',
	'cwd',
	'transcript_path',
	'notification_type',
	'reason',
	'source',
	'agent_id',
];

/** Parses the payload a client wrote to stdin. Never throws: a broken payload becomes a stub with its ids. */
export function readPayload(bytes: Buffer, isCapped: boolean, hasLastMessage: boolean): HookData {
	const text = bytes
		.toString('utf8')
		.replace(/^\uFEFF/, '')
		.trim();
	if (isCapped) return stubOf(text, 'too-long');
	if (!text) return {damaged: 'empty'};
	try {
		const payload: unknown = JSON.parse(text);
		return isObject(payload) ? pickPayload(payload, hasLastMessage) : {damaged: 'not-object'};
	} catch {
		return stubOf(text, text.startsWith('{') && !text.endsWith('}') ? 'cut' : 'not-json');
	}
}

/**
 * Extracts the first string value of each stub field. Names quoted inside a string don't match, because their
 * quotes are escaped.
 */
function stubOf(text: string, damaged: string): HookData {
	const found: {[key: string]: unknown} = {};
	for (const field of stubFields) {
		const name = field.replaceAll('_', '_?');
		const match = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,4096}")`, 'i').exec(text);
		try {
			if (match?.[1]) found[field] = JSON.parse(match[1]);
		} catch {
			// A broken escape: skip this field.
		}
	}
	return {...pickPayload(found, false), damaged};
}
