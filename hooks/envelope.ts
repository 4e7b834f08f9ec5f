import {cutText, pickData, textFields} from './allow-list.ts';
import {isObject, type JsonObject, parseObject} from './json.ts';
import {type Envelope, type EventComputer, maxLine} from './wire.ts';

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
