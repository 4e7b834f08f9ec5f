import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isWritable, mentionAt, mentionOf, writtenPath} from '../../../../src/text/editor/mention.ts';
import {pastedPaths} from '../../../../src/text/editor/pasted-path.ts';

test.each([
	['@', {start: 0, query: ''}],
	['see @src/a.t', {start: 4, query: 'src/a.t'}],
	['see (@~/no', {start: 5, query: '~/no'}],
	['a\n@x', {start: 2, query: 'x'}],
	['me@host', undefined],
	['see @a b', undefined],
	['@@', {start: 0, query: '@'}],
	['see @a/@types/x', {start: 4, query: 'a/@types/x'}],
	['see @"my dir/a b', {start: 4, query: 'my dir/a b'}],
	['see @"a" b', undefined],
	['see @\u{f0000}', undefined],
	['', undefined],
])('finds the mention before the cursor in %j', (text, mention) => {
	expect(mentionAt(text, text.length)).toEqual(mention);
	expect(mentionAt(`${text} after`, text.length)).toEqual(mention);
});

test.each([
	['src/a.ts', 'src/a.ts', 'src/a.ts'],
	['my dir/a b', "'my dir/a b'", '"my dir/a b"'],
	["it's", "'it'\\''s'", '"it\'s"'],
	['~/a b', "~/'a b'", '"~/a b"'],
	['-rf', './-rf', '-rf'],
	['a$(id)"', `'a$(id)"'`, '"a$(id)\\""'],
	['界/a.ts', '界/a.ts', '界/a.ts'],
])('writes the path %j for a shell as %s, for an agent as %s', (path, shell, agent) => {
	expect([writtenPath(path, true), writtenPath(path, false)]).toEqual([shell, agent]);
});

test('a shell reads a written path as it is', () => {
	fc.assert(
		fc.property(
			fc.string({minLength: 1, maxLength: 20, unit: fc.constantFrom(...'a-~\'" $\\`!*é界/#=')}),
			path => {
				const home = {HOME: '/h'};
				const read = execFileSync('/bin/sh', ['-c', `printf %s ${writtenPath(path, true)}`], {env: home});
				const named = path.startsWith('-') ? `./${path}` : path.replace(/^~\//, '/h/');
				expect(read.toString()).toBe(named);
			},
		),
		{numRuns: 50},
	);
});

test('a mention of a folder goes on to the files in it', () => {
	for (const folder of ['src/', 'my dir/', '@x/']) {
		const text = `see ${mentionOf(folder)}`;
		expect(mentionAt(text, text.length)).toEqual({start: 4, query: folder});
	}
});

test.each(['a\nb', 'a\u202eb', 'a\ufffd', '\u{f0000}', 'a\x1b[0m'])('the name %j cannot be written', name => {
	expect(isWritable(name)).toBe(false);
});

test.each([
	['/a/b.png', [['/a/b.png'], ['/a/b.png']]],
	['  /a/b c.png\n', [['/a/b c.png'], ['/a/b', 'c.png']]],
	["'/a/b c.png'", [['/a/b c.png']]],
	['"~/b.png"', [['~/b.png']]],
	["'/a/it'\\''s \"b\".png'", [[`/a/it's "b".png`]]],
	['/a/b\\ c\\(1\\).png', [['/a/b\\ c\\(1\\).png'], ['/a/b c(1).png']]],
	['file:///a/b%20c.png', [['/a/b c.png']]],
	['file:///a/b.png\r\nfile:///c.png\r\n', [['/a/b.png', '/c.png']]],
	["/a/b\\ c.png '/d e.png' ", [["/a/b\\ c.png '/d e.png'"], ['/a/b c.png', '/d e.png']]],
	['file://%zz', []],
	['shot.png', [['shot.png'], ['shot.png']]],
	['./shot', [['./shot'], ['./shot']]],
	['two\nlines.png', []],
	['just words', []],
	['', []],
	['x'.repeat(20_000), []],
])('finds the paths in pasted %j', (pasted, paths) => {
	expect(pastedPaths(pasted)).toEqual(paths);
});
