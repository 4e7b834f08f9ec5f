import {fstatSync, readSync} from 'node:fs';
import {isObject} from './json.ts';
import {type HookData, pickPayload, type TextField} from './wire.ts';

export type Input = {bytes(): Buffer; isCapped(): boolean};

/**
 * Reads stdin to its end and keeps the first `maxPayload` bytes. May call `onEnd` before it returns. Doesn't
 * read terminals or other devices: their input belongs to the agent.
 */
export function readStdin(onEnd: (input: Input) => void): Input {
	const parts: Buffer[] = [];
	let size = 0;
	let isCapped = false;
	const append = (bytes: Buffer) => {
		const part = bytes.subarray(0, maxPayload - size);
		if (part.length < bytes.length) isCapped = true;
		if (part.length > 0) parts.push(part);
		size += part.length;
	};
	const input = {
		bytes: () => (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)),
		isCapped: () => isCapped,
	};
	const kind = kindOf(0);
	if (kind === 'pipe') readPipe(0, append, () => onEnd(input));
	else {
		if (kind === 'file') readFile(append);
		onEnd(input);
	}
	return input;
}

function kindOf(fd: number): 'pipe' | 'file' | 'other' {
	try {
		const found = fstatSync(fd);
		if (found.isFIFO() || found.isSocket()) return 'pipe';
		return found.isFile() ? 'file' : 'other';
	} catch {
		return 'other';
	}
}

/** Reads an inherited pipe or socket. Calls `onEnd` once, at its end or on a read error. */
function readPipe(fd: number, onBytes: (bytes: Buffer) => void, onEnd: () => void): void {
	let isOver = false;
	const end = () => {
		if (!isOver) onEnd();
		isOver = true;
	};
	try {
		// Loaded on first use: a hook that reads a file and finds no program doesn't need it.
		const {Socket} = require('node:net') as typeof import('node:net');
		const socket = new Socket({fd, readable: true, writable: false});
		socket.on('data', onBytes).on('end', end).on('error', end).on('close', end);
	} catch {
		end();
	}
}

/**
 * Reads a file synchronously, since files never block. Data beyond the cap needn't be drained: no writer
 * waits for it.
 */
function readFile(onBytes: (bytes: Buffer) => void): void {
	let left = maxPayload + 1;
	try {
		while (left > 0) {
			const bytes = Buffer.alloc(64 * 1024);
			const count = readSync(0, bytes, 0, bytes.length, null);
			if (count === 0) return;
			onBytes(bytes.subarray(0, count));
			left -= count;
		}
	} catch {
		// Opened for writing only, or a failing file system: use the data read so far.
	}
}

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
