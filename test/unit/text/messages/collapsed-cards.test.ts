import {expect, test} from 'vitest';
import type {ContentItem} from '../../../../src/domain/messages/message.ts';
import {type Line, lineText} from '../../../../src/text/cells/line.ts';
import {messageRows, type RowOptions} from '../../../../src/text/messages/message-rows.ts';

const use = (name: string, input: unknown, id = name): ContentItem => ({type: 'tool_use', id, name, input});
const result = (id: string, content: string): ContentItem => ({
	type: 'tool_result',
	tool_use_id: id,
	content,
});

const drawn = (content: readonly ContentItem[], more: Partial<RowOptions> = {}) => {
	const message = {id: 'm', content};
	const entry = {kind: 'message', id: 'm', message, role: 'assistant'} as const;
	return messageRows(entry, {width: 62, isExpanded: false, ...more});
};
const textsOf = (rows: readonly Line[]) => rows.map(row => lineText(row).slice(2).trimEnd());
const numbered = (count: number, word: string) =>
	Array.from({length: count}, (_, index) => `${word} ${index}`).join('\n');

test('shows a whole change if the screen has room, or else cuts between changes', () => {
	const before = Array.from({length: 9}, (_, index) => [`same ${index}`, `old ${index}`]).flat();
	const after = before.map(line => line.replace('old', 'new'));
	const edit = (length: number) =>
		use('Edit', {
			file_path: 'a',
			old_string: before.slice(0, length).join('\n'),
			new_string: after.slice(0, length).join('\n'),
		});
	const answered = (length: number) => [edit(length), result('Edit', 'updated')];
	const whole = (length: number) =>
		before.slice(0, length).flatMap(line => {
			const replaced = [`  - ${line}`, `  + ${line.replace('old', 'new')}`];
			return line.startsWith('old') ? replaced : [`    ${line}`];
		});
	expect(textsOf(drawn(answered(8))).slice(1)).toEqual(whole(8));
	expect(textsOf(drawn(answered(10))).slice(1)).toEqual([
		...['    same 0', '  - old 0', '  + new 0', '    same 1', '  - old 1', '  + new 1', '    same 2'],
		'  + 8 lines',
	]);
	expect(textsOf(drawn(answered(12), {isTall: true})).slice(1)).toEqual(whole(12));
	const rows = textsOf(drawn(answered(18), {isTall: true})).slice(1);
	expect(rows).toEqual([...whole(18).slice(0, -14), '  + 14 lines']);
});

test('shows some of both when many lines replace many', () => {
	const input = {file_path: 'a', old_string: numbered(30, 'old'), new_string: numbered(20, 'new')};
	expect(textsOf(drawn([use('Edit', input), result('Edit', 'updated')])).slice(1)).toEqual([
		...['  - old 0', '  - old 1', '  - old 2', '  - old 3', '  + 26 lines'],
		...['  + new 0', '  + new 1', '  + new 2', '  + new 3', '  + 16 lines'],
	]);
	// One line that is longer than all rows isn't there whole.
	const long = {file_path: 'a', content: 'x '.repeat(2000)};
	expect(textsOf(drawn([use('Write', long), result('Write', 'created')])).at(-1)).toBe('  + 1 line');
});

test('shows a single line of output rather than hide it, and more of a failed one on a tall screen', () => {
	const failed = `Exit code 1\nbuilding\nError: it is bad\n${numbered(30, 'at')}`;
	const rowsOn = (isTall: boolean) =>
		textsOf(drawn([use('Bash', {command: 'x'}), {...result('Bash', failed), is_error: true}], {isTall}));
	expect(rowsOn(false).slice(1)).toEqual([
		...['  + 2 lines', '  Error: it is bad'],
		...['  at 0', '  at 1', '  at 2', '  at 3', '  at 4', '  at 5'],
		'  + 24 lines',
	]);
	expect(rowsOn(true).slice(1)).toEqual([
		...['  + 2 lines', '  Error: it is bad'],
		...numbered(10, 'at')
			.split('\n')
			.map(line => `  ${line}`),
		'  + 20 lines',
	]);
	const one = failed.replace('Exit code 1\n', '');
	const rows = textsOf(drawn([use('Bash', {command: 'x'}), {...result('Bash', one), is_error: true}]));
	expect(rows.slice(1, 3)).toEqual(['  building', '  Error: it is bad']);
});

test.each([
	['Here is a snippet:\n    11→a {\n    12→  2;\n    13→}', ['  12 -   1;', '  12 +   2;']],
	['00011| a {\n00012|   2;\n00013| }', ['  12 -   1;', '  12 +   2;']],
	['The file has been updated.', ['  - 1;', '  + 2;']],
	['    12→  2;\n    13→  2;', ['  - 1;', '  + 2;']],
])('numbers the lines of a change if its result has numbers: %s', (output, expected) => {
	const input = {file_path: 'a', old_string: '  1;', new_string: '  2;'};
	expect(textsOf(drawn([use('Edit', input), result('Edit', output)])).slice(1)).toEqual(
		expected.map(row => row.replace(/([-+]) {3}/, '$1 ')),
	);
	const everywhere = use('Edit', {...input, replace_all: true});
	expect(textsOf(drawn([everywhere, result('Edit', output)]))[1]).toBe('  - 1;');
});

test.each([
	[{text: '-  one;', number: 40}, ['  40 - one;', '  40 + two;']],
	[{text: '-  const one;', number: 40}, ['  40 - one;', '  40 + two;']],
	[{text: '+  one;', number: 40}, ['  - one;', '  + two;']],
	[{text: '-  other;', number: 40}, ['  - one;', '  + two;']],
	[{text: '-  one;', number: 'x'}, ['  - one;', '  + two;']],
])('numbers a change from its first changed line if the client told that: %j', (firstChange, expected) => {
	const edit = use('Edit', {file_path: 'a', old_string: '\tone;', new_string: '\ttwo;'});
	expect(textsOf(drawn([edit, {...result('Edit', 'updated'), firstChange}])).slice(1)).toEqual(expected);
});

test('marks the words that differ when one line replaces another', () => {
	const marked = (old_string: string, new_string: string) =>
		drawn([use('Edit', {file_path: 'a.ts', old_string, new_string}), result('Edit', 'ok')])
			.slice(1)
			.map(row =>
				row
					.filter(({tint}) => tint === 'addedWords' || tint === 'removedWords')
					.map(({text}) => text)
					.join(''),
			);
	expect(marked('const day = slice(0, 10);', 'const time = slice(0, 10);')).toEqual(['day', 'time']);
	expect(marked('const days = 1;\nreturn a;', 'const all = 1;\nreturn b;')).toEqual([
		'days',
		'a',
		'all',
		'b',
	]);
	expect(marked('const days = 1;', 'const all = 1;\nreturn;')).toEqual(['', '', '']);
	expect(marked('quite something else', 'not(this, at, all)')).toEqual(['', '']);
	expect(marked(`${'a '.repeat(300)}b`, `${'a '.repeat(300)}c`).join('')).toBe('');
});

test("doesn't take file names in a patch for changed lines", () => {
	const patch = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -1,1 +1,1 @@\n-one\n+two`;
	const diff = (isExpanded: boolean, ...names: string[]) =>
		drawn([use('Bash', {command: 'git diff'}), result('Bash', names.map(patch).join('\n'))], {isExpanded})
			.slice(1)
			.map(row => lineText(row.filter(({tint}) => tint === undefined)).trim());
	const hunk = ['@@ -1,1 +1,1 @@', '', ''];
	expect(diff(true, 'x')).toEqual(['--- a/x', '+++ b/x', ...hunk]);
	expect(diff(false, 'x', 'y')).toEqual(['+++ b/x', '', '', '+++ b/y', '', '']);
});

test("shortens a path in the session's folder", () => {
	const file_path = '/home/ada/shop/src/a.ts';
	const read = [use('Read', {file_path}), result('Read', numbered(9, 'line'))];
	const rows = drawn(read, {folder: '/home/ada/shop/'});
	expect(textsOf(rows)).toEqual(['✓ Read src/a.ts  9 lines']);
	expect(textsOf(drawn(read, {folder: '/home/ada/shop', isExpanded: true}))[1]).toBe(`  ${file_path}`);
	expect(textsOf(drawn(read, {folder: '/home/ada/sho'}))[0]).toContain(file_path);
	// It may wait for approval.
	expect(textsOf(drawn([use('Edit', {file_path})], {folder: '/home/ada/shop'}))[0]).toBe(
		`· Edit ${file_path}`,
	);
	const grep = [use('Grep', {pattern: 'x', path: '/home/ada/shop/src'}), result('Grep', 'none')];
	expect(textsOf(drawn(grep, {folder: '/home/ada/shop'}))).toEqual(['✓ Grep x in src  none']);
	const bash = [use('Bash', {command: `cat ${file_path}`}), result('Bash', 'ok')];
	expect(textsOf(drawn(bash, {folder: '/home/ada/shop'}))[0]).toContain(file_path);
});

test('shows the answer below each question', () => {
	const ask = use('AskUserQuestion', {
		questions: [
			{question: 'Where should the cache of all products live, on which of the nodes?', options: []},
			{question: 'For how long?', options: [{label: '60 s'}]},
		],
	});
	const answer =
		'User has answered your questions: "Where?"="Memory", "For how long?"="60 s". You can go on.';
	expect(textsOf(drawn([ask, result('AskUserQuestion', answer)]))).toEqual([
		...['✓ Questions Where should the cache of all products live, on', '    which of the nodes?'],
		...['  → Memory', '  For how long?', '  → 60 s'],
	]);
	expect(textsOf(drawn([ask]))[0]).toMatch(/^· Questions Where/);
	expect(textsOf(drawn([ask, result('AskUserQuestion', 'as you like')])).at(-1)).toBe('  → as you like');
});

test('puts a blank row after a card with rows below its head on a tall screen', () => {
	const content = [
		...[use('Bash', {command: 'a'}, 'a'), result('a', numbered(2, 'line')), use('Bash', {command: 'b'}, 'b')],
		...[result('b', 'ok'), use('Bash', {command: 'c'}, 'c'), result('c', 'ok')],
	];
	const heads = ['✓ Bash b  ok', '✓ Bash c  ok'];
	expect(textsOf(drawn(content, {isTall: true})).slice(1)).toEqual(['  line 0', '  line 1', '', ...heads]);
	expect(textsOf(drawn(content)).slice(1)).toEqual(['  line 0', '  line 1', ...heads]);
});
