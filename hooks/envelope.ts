import {cutText, pickData, textFields} from './allow-list.ts';
import {type Envelope, maxLine} from './wire.ts';

/** The line to send, its newline included: at most `maxLine` bytes, for which long fields are shortened. */
export function encodeEnvelope(envelope: Envelope): string {
	let line = `${JSON.stringify(envelope)}\n`;
	for (let maxLength = 2048; Buffer.byteLength(line) > maxLine; maxLength /= 2) {
		const data = {...envelope.data};
		// Escapes can make a byte six: only the length of the line itself tells when it fits.
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

/** Reads one line of an unknown writer. Undefined when it is no envelope; nothing but the known fields is kept. */
export function decodeEnvelope(line: string): Envelope | undefined {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return undefined;
	}
	if (typeof value !== 'object' || value === null) return undefined;
	const {v, id, ts, client, event, pid, agentPid, data} = value as {[key: string]: unknown};
	if (!isCount(v) || v < 1 || !isCount(ts)) return undefined;
	if (typeof id !== 'string' || !/^[\w-]{8,64}$/.test(id)) return undefined;
	if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
	return {
		v,
		id,
		ts,
		client: typeof client === 'string' ? cleanClient(client) : '',
		event: typeof event === 'string' ? cutText(event, 64) : '',
		pid: isCount(pid) ? pid : 0,
		agentPid: isCount(agentPid) ? agentPid : 0,
		data: pickData(data as {[key: string]: unknown}),
	};
}

/** A client's name is a short word: it is part of keys and of file names. */
export function cleanClient(name: string): string {
	return /^[\w.-]{1,32}$/.test(name) ? name : '';
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
