import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createOutput, createProgress} from '../../../../src/commands/output/output.ts';
import {safe} from '../../../../src/text/cells/safe.ts';
import {jsonText} from '../../../../src/text/values/export-text.ts';
import {fakeClock} from '../../../support/fake-clock.ts';

test('JSON reads back unchanged, and contains nothing that a terminal obeys', () => {
	const controls = fc.constantFrom(
		'\u001b',
		'\u009b',
		'\u007f',
		'\u0085',
		'\u202e',
		'\u2028',
		'\u200b',
		'\n',
	);
	const text = fc.array(fc.oneof(fc.string(), controls)).map(parts => parts.join(''));
	fc.assert(
		fc.property(fc.dictionary(text, text), value => {
			const line = jsonText(value);
			expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
			expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/);
		}),
	);
});

test('a note is one cleaned line on stderr', () => {
	const written: string[] = [];
	const output = createOutput(false, {
		stdout: {write: () => expect.unreachable()},
		stderr: {write: text => written.push(text)},
	});
	output.note('two\nlines \u001b[31mred');
	expect(written.join('')).toBe('quarterdeck: two\u240alines \u241b[31mred\n');
});

test.each([true, false])('writes a remark only to a terminal: %s', isTTY => {
	const written: string[] = [];
	const stderr = {isTTY, write: (text: string) => written.push(text)};
	createOutput(false, {stdout: {write: () => expect.unreachable()}, stderr}).remark('none');
	expect(written).toEqual(isTTY ? ['\r\x1b[Kquarterdeck: none\n'] : []);
});

test.each([
	['a terminal', {isTTY: true, columns: 80}, 80],
	['a terminal that tells no size', {isTTY: true, columns: 0}, undefined],
	['a pipe', {columns: 80}, undefined],
])('%s: %o has a width of %s', (_, size, columns) => {
	const stream = {write: () => expect.unreachable()};
	expect(createOutput(false, {stdout: {...stream, ...size}, stderr: stream}).columns).toBe(columns);
});

function record(isTTY: boolean) {
	const written: string[] = [];
	return {written, isTTY, write: (text: string) => written.push(text)};
}

test('on a terminal, one line overwrites itself and is cleared at the end', async () => {
	const clock = fakeClock();
	const stream = record(true);
	const progress = createProgress(stream, clock);
	progress.show('too soon');
	await clock.advance(100);
	progress.show('reading users: 100');
	progress.show('too soon again');
	await clock.advance(100);
	progress.show('hostile \u001b[2J');
	progress.end();
	progress.end();
	expect(stream.written).toEqual([
		'\rreading users: 100\u001b[K',
		'\rhostile \u241b[2J\u001b[K',
		'\r\u001b[K',
	]);
});

test('elsewhere, nothing is written, however long it takes', async () => {
	const clock = fakeClock();
	const stream = record(false);
	const progress = createProgress(stream, clock);
	progress.show('reading users: 100');
	await clock.advance(60_000);
	progress.show('reading users: 200');
	progress.end();
	expect(stream.written).toEqual([]);
});

test('on a terminal, what is ours breaks at words; rows go on below their last column', () => {
	const at = (columns: number | undefined) => {
		const [out, errors] = [record(columns !== undefined), record(columns !== undefined)];
		const size = columns === undefined ? {} : {columns};
		const output = createOutput(false, {stdout: {...out, ...size}, stderr: {...errors, ...size}});
		output.text(safe`  --timeout SECONDS  give up after this many seconds`);
		output.text(safe`Usage: send [--timeout SECONDS]\n/a/path/longer/than/the/terminal/is and more`);
		output.note('the session is not known here');
		return [...out.written, ...errors.written].join('').replace('\r\x1b[K', '');
	};
	expect(at(undefined).split('\n')).toHaveLength(5);
	expect(at(44).split('\n')).toEqual([
		'  --timeout SECONDS  give up after this many',
		'                     seconds',
		'Usage: send [--timeout SECONDS]',
		'/a/path/longer/than/the/terminal/is and more',
		'quarterdeck: the session is not known here',
		'',
	]);
	expect(at(30).split('\n')).toEqual([
		'  --timeout SECONDS  give up',
		'  after this many seconds',
		'Usage: send [--timeout',
		'  SECONDS]',
		'/a/path/longer/than/the/terminal/is',
		'  and more',
		'quarterdeck: the session is',
		'  not known here',
		'',
	]);
});
