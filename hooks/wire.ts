import {isObject, type JsonObject, parseObject} from './json.ts';

/**
 * The protocol between the hook binary and running programs: one line of JSON each way. Imports only Node built-ins,
 * because the agent waits for the binary and it must start as fast as Node itself.
 */

/** Maximum length of an envelope, bytes of UTF-8 including its newline. */
export const maxLine = 16 * 1024;
export const wireVersion = 1;

/**
 * Environment variable of every process that an embedded service starts. A hook of such an agent reports nothing: the
 * service already lists the session.
 */
export const startedByVariable = 'QUARTERDECK_STARTED_BY';

/** The forwarded part of an event, by allow-list: never the prompt, tool input or output. */
export type HookData = {[Field in TextField]?: string} & {
	stop_hook_active?: boolean;
	/** Number of background tasks, not their contents. */
	background_tasks?: number;
	/** Only when turned on; at most 280 characters. */
	last_assistant_message?: string;
	/** Set when the payload could not be read completely: `empty`, `cut`, `not-json`, `not-object` or `too-long`. */
	damaged?: string;
	/** Set by `quarterdeck hooks test`: shown as a test, never alerts. */
	test?: boolean;
};

/** The computer of an event that wasn't reported on this machine. `ts` is the event's time by the clock there. */
export type EventComputer = {id: string; name: string; ts: number};

/** One event as sent to running programs. `ts` is Unix ms at the hook's first line; `id` a UUID. */
export type Envelope = {
	v: number;
	id: string;
	ts: number;
	/** Client named on the hook's command line (`claude`, `droid`, `codex`, ...), or empty. */
	client: string;
	event: string;
	pid: number;
	agentPid: number;
	data: HookData;
	/** Absent for an event of this machine. Programs know the computer by its id. */
	computer?: EventComputer;
};

/** The answer: the id of an envelope that has been saved. */
export type Acknowledgement = {ok: string};

/** Encodes an envelope as one line of at most `maxLine` bytes including its newline, truncating long fields to fit. */
export function encodeEnvelope(envelope: Envelope): string {
	let line = `${JSON.stringify(envelope)}\n`;
	for (let maxLength = 2048; Buffer.byteLength(line) > maxLine; maxLength /= 2) {
		const data = {...envelope.data};
		// Escapes can turn one byte into six, so only the length of the encoded line counts.
		if (data.last_assistant_message)
			data.last_assistant_message = cutText(data.last_assistant_message, maxLength);
		for (const field of textFields) {
			const text = data[field];
			if (text) data[field] = cutText(text, maxLength);
		}
		line = `${JSON.stringify({...envelope, data})}\n`;
	}
	return line;
}

/** Decodes a line from an untrusted writer. Undefined if it isn't an envelope; unknown fields are dropped. */
export function decodeEnvelope(line: string): Envelope | undefined {
	const value = parseObject(line);
	return value && envelopeOf(value);
}

/** Picks the envelope out of parsed JSON; undefined if there is none. */
export function envelopeOf(value: JsonObject): Envelope | undefined {
	const {v, id, ts, client, event, pid, agentPid, data, computer} = value;
	if (!isCount(v) || v < 1 || !isCount(ts)) return undefined;
	if (typeof id !== 'string' || !/^[\w-]{8,64}$/.test(id)) return undefined;
	if (!isObject(data)) return undefined;
	const where = isObject(computer) ? computerOf(computer) : undefined;
	if (computer !== undefined && !where) return undefined;
	return {
		v,
		id,
		ts,
		client: typeof client === 'string' ? cleanClient(client) : '',
		event: typeof event === 'string' ? cutText(event, 64) : '',
		pid: isCount(pid) ? pid : 0,
		agentPid: isCount(agentPid) ? agentPid : 0,
		data: pickData(data),
		computer: where,
	};
}

function computerOf({id, name, ts}: JsonObject): EventComputer | undefined {
	if (typeof id !== 'string' || !/^[\w-]{1,128}$/.test(id) || !isCount(ts)) return undefined;
	return {id, name: typeof name === 'string' ? cutText(name, 256) : '', ts};
}

/** Returns a valid client name or an empty string: names become parts of keys and file names. */
export function cleanClient(name: string): string {
	return /^[\w.-]{1,32}$/.test(name) ? name : '';
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/**
 * The text fields the hook forwards from a client's payload, each with its maximum length in bytes of UTF-8. Every
 * other field is dropped, so a prompt, a tool's input or its output is never forwarded.
 */
const texts = {
	session_id: 256,
	hook_event_name: 64,
	cwd: 4096,
	transcript_path: 4096,
	notification_type: 64,
	message: 2048,
	title: 256,
	reason: 256,
	source: 64,
	permission_mode: 64,
	agent_id: 256,
	agent_type: 128,
	prompt_id: 256,
	turn_id: 256,
	message_id: 256,
	error: 2048,
} as const;

export type TextField = keyof typeof texts;
export const textFields = Object.keys(texts) as TextField[];

/** Longest last assistant message, in characters. */
const lastMessageLength = 280;

/**
 * Picks the allowed fields of a client's payload. Fields may be camelCase, missing, null or of the wrong
 * type; if a field comes in both spellings, snake_case wins.
 */
export function pickPayload(payload: JsonObject, hasLastMessage: boolean): HookData {
	const data: HookData = {};
	for (const key of Object.keys(payload)) {
		const field = key === key.toLowerCase() ? key : toSnakeCase(key);
		if (field !== key && Object.hasOwn(payload, field) && payload[field] !== null) continue;
		pickField(data, field, payload[key], hasLastMessage);
	}
	return data;
}

function pickField(data: HookData, field: string, value: unknown, hasLastMessage: boolean): void {
	if (field === 'stop_hook_active') {
		if (typeof value === 'boolean') data.stop_hook_active = value;
	} else if (field === 'background_tasks') {
		const count = asCount(value);
		if (count !== undefined) data.background_tasks = count;
	} else if (field === 'quarterdeck_test') {
		if (value === true) data.test = true;
	} else if (field === 'last_assistant_message') {
		const text = asText(value);
		if (!text || !hasLastMessage) return;
		data.last_assistant_message = [...text.slice(0, 4 * lastMessageLength)]
			.slice(0, lastMessageLength)
			.join('');
	} else if (isTextField(field)) {
		const text = asText(value);
		if (text) data[field] = cutText(text, texts[field]);
	}
}

function isTextField(field: string): field is TextField {
	return Object.hasOwn(texts, field);
}

/** Applies the same allow-list to data received from the socket or the spool, whoever wrote it. */
export function pickData(source: JsonObject): HookData {
	const data = pickPayload(source, true);
	if (source.test === true) data.test = true;
	if (typeof source.damaged === 'string') data.damaged = cutText(source.damaged, 32);
	return data;
}

/** Truncates text to at most `bytes` bytes of UTF-8, never within a character. */
export function cutText(text: string, bytes: number): string {
	// A UTF-16 unit takes at most three bytes, so most texts need no count.
	if (text.length * 3 <= bytes) return text;
	const whole = Buffer.from(text.slice(0, bytes + 1));
	if (whole.length <= bytes) return text;
	let end = bytes;
	while (end > 0 && ((whole[end] ?? 0) & 0xc0) === 0x80) end--;
	return whole.toString('utf8', 0, end);
}

function toSnakeCase(key: string): string {
	return key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/** Accepts strings, numbers (some clients use numeric ids) and error objects, whose message it returns. */
function asText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	if (typeof value === 'object' && value && 'message' in value && typeof value.message === 'string')
		return value.message;
	return undefined;
}

function asCount(value: unknown): number | undefined {
	if (Array.isArray(value)) return value.length;
	return typeof value === 'number' && value >= 0 && Number.isSafeInteger(value) ? value : undefined;
}
