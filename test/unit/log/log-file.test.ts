import {mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {type LogFields, log} from '../../../src/log/log.ts';
import {type LogFile, openLogFile, readLogLevel} from '../../../src/log/log-file.ts';

let folder: string;
let file: LogFile | undefined;
const failures: string[] = [];
const open = (level: Parameters<typeof openLogFile>[1] = 'debug') => {
	file = openLogFile(
		folder,
		level,
		error => failures.push(error.message),
		() => 0,
	);
	return file;
};
const lines = () => readFileSync(join(folder, 'debug.log'), 'utf8').split('\n').slice(0, -1);

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'log-'));
	failures.length = 0;
});
afterEach(() => {
	file?.close();
	file = undefined;
	rmSync(folder, {recursive: true});
});

test('an entry is one line that only the user can read', () => {
	const {path} = open();
	log('warn', 'request', {
		method: 'GET',
		status: 503,
		path: '/v1/x?limit=1',
		error: 'not now',
		ms: undefined,
	});
	expect(lines()).toEqual([
		`1970-01-01T00:00:00.000Z warn  [${process.pid}] request method=GET status=503 path=/v1/x?limit=1 error="not now"`,
	]);
	expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('leaves out entries below the level, and all of them while the log is off', () => {
	log('error', 'before');
	open('info');
	log('debug', 'one');
	log('info', 'two');
	file?.close();
	file = undefined;
	log('error', 'three');
	expect(lines()).toHaveLength(1);
	expect(lines()[0]).toContain('two');
});

test.each<[string, LogFields, RegExp]>([
	['a named secret', {api_key: 'abc-def-123'}, /abc-def/],
	['a bearer token in an error', {error: 'sent Authorization: Bearer abc.def.ghi'}, /abc\.def/],
	['an escape sequence', {error: '\u001b]0;title\u0007'}, /[^\x20-\x7e\n]/],
	['a line break', {error: 'a\n2026 error forged'}, /^2026/m],
	['a bidirectional override', {name: 'a\u202eb'}, /\u202e/],
])("%s doesn't reach the file unchanged", (_, fields, forbidden) => {
	open();
	log('info', 'event', fields);
	expect(readFileSync(join(folder, 'debug.log'), 'utf8')).not.toMatch(forbidden);
	expect(lines()).toHaveLength(1);
});

test('renames a file that has grown too large, and begins a new one', () => {
	const {path} = open();
	truncateSync(path, 10_000_001);
	log('info', 'after');
	expect(lines()).toHaveLength(1);
	expect(statSync(`${path}.1`).size).toBe(10_000_001);
});

test('refuses a link in its place', () => {
	symlinkSync(join(folder, 'elsewhere'), join(folder, 'debug.log'));
	expect(open).toThrow();
});

test('a log that can no longer be written reports it once and goes silent', () => {
	truncateSync(open().path, 10_000_001);
	rmSync(folder, {recursive: true});
	log('info', 'one');
	log('info', 'two');
	expect(failures).toHaveLength(1);
	folder = mkdtempSync(join(tmpdir(), 'log-'));
});

test('reads the levels of QUARTERDECK_DEBUG', () => {
	expect([undefined, '', '0'].map(readLogLevel)).toEqual([undefined, undefined, undefined]);
	expect(['1', 'debug', 'warn'].map(readLogLevel)).toEqual(['debug', 'debug', 'warn']);
	expect(() => readLogLevel('loud')).toThrow('must be 1 or one of debug, info, warn, error');
});
