import {closeSync, constants, existsSync, fstatSync, openSync, renameSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {maskSecrets, maskText} from '../domain/masking.ts';
import {type LogFields, type LogLevel, logLevels, setLogSink} from './log.ts';

/** Beyond this size, in bytes, the file is renamed to `debug.log.1`, which replaces the one before. */
const maxSize = 10_000_000;
/** Characters of one value: a stack has about as many. */
const maxValue = 2_000;

export type LogFile = {readonly path: string; close(): void};

/**
 * Reads `QUARTERDECK_DEBUG`: a level, or `1` for all entries. Empty, `0` and unset mean off. Throws on any
 * other value.
 */
export function readLogLevel(value: string | undefined): LogLevel | undefined {
	if (value === undefined || value === '' || value === '0') return undefined;
	if (value === '1') return 'debug';
	const level = logLevels.find(name => name === value);
	if (!level)
		throw new Error(`QUARTERDECK_DEBUG is ${value}: it must be 1 or one of ${logLevels.join(', ')}`);
	return level;
}

/**
 * Appends the entries of `level` and above to `debug.log` in `folder`, one line each, readable by the user
 * only. Several programs may write to the same file. Throws if the file can't be opened; if it can't be
 * written later, `onFailure` is called and the log is turned off.
 */
export function openLogFile(
	folder: string,
	level: LogLevel,
	onFailure: (error: Error) => void,
	now: () => number = Date.now,
): LogFile {
	const path = join(folder, 'debug.log');
	let descriptor = open(path);
	const minLevel = logLevels.indexOf(level);
	setLogSink((entryLevel, event, fields) => {
		if (logLevels.indexOf(entryLevel) < minLevel) return;
		try {
			if (fstatSync(descriptor).size > maxSize) {
				const full = descriptor;
				// Another program may just have renamed it.
				if (existsSync(path)) renameSync(path, `${path}.1`);
				descriptor = open(path);
				closeSync(full);
			}
			writeSync(descriptor, formatEntry(now(), entryLevel, event, fields));
		} catch (error) {
			setLogSink(undefined);
			onFailure(error as Error);
		}
	});
	return {
		path,
		close() {
			setLogSink(undefined);
			closeSync(descriptor);
		},
	};
}

function open(path: string): number {
	const {O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY} = constants;
	const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
	if (fstatSync(descriptor).isFile()) return descriptor;
	closeSync(descriptor);
	throw new Error(`${path} is not a file`);
}

/** `2026-01-31T12:00:00.000Z warn  [812] request method=GET status=503`, in printable ASCII only. */
function formatEntry(at: number, level: LogLevel, event: string, fields: LogFields): string {
	const pairs = Object.entries(maskSecrets(fields))
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}=${formatValue(value)}`);
	const line = [new Date(at).toISOString(), level.padEnd(5), `[${process.pid}]`, event, ...pairs].join(' ');
	return `${line.replace(/[^\x20-\x7e]/g, escapeCharacter)}\n`;
}

function formatValue(value: LogFields[string]): string {
	const text = maskText(String(value)).slice(0, maxValue);
	return /^[\w./:?&=%+@-]*$/.test(text) ? text : JSON.stringify(text);
}

function escapeCharacter(character: string): string {
	return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
