import {expect, test} from 'vitest';
import {fileChange, patchedFiles} from '../../../../src/text/messages/file-change.ts';

const names = ['--- a/f', '+++ b/f'];
const changeIn = (...lines: readonly string[]) => fileChange('Edit', {}, lines.join('\n'));
const namesIn = (...lines: readonly string[]) =>
	changeIn(...lines)?.lines.flatMap(({text, isName}) => (isName ? [text] : []));

test('lines that begin with two dashes or pluses count as changed inside a hunk', () => {
	const change = changeIn(...names, '@@ -1,2 +1,2 @@', ' same', '--- x', '+++ y', '@@ -9 +9 @@', '-a', '+b');
	expect(change).toMatchObject({added: 2, removed: 2});
	expect(change?.lines).toContainEqual({text: '--- x', number: 2});
	expect(change?.lines).toContainEqual({text: '+++ y', number: 2});
	const inside = ['@@ -1,3 +1,3 @@', '--- x', '+++ y', ' same', ' same'];
	expect(changeIn(...names, ...inside)).toMatchObject({added: 1, removed: 1});
	expect(patchedFiles([...names, ...inside].join('\n'))).toEqual(['f']);
});

test('finds the names of the next file after a hunk', () => {
	const next = ['--- a/g', '+++ b/g'];
	const hunk = ['@@ -1 +1 @@', '-a', '+b'];
	expect(namesIn(...names, ...hunk, ...next, ...hunk)).toEqual([...names, ...next]);
	expect(patchedFiles([...names, ...hunk, ...next, ...hunk].join('\n'))).toEqual(['f', 'g']);
	// An agent may count wrong, or not at all.
	for (const head of ['@@ -1,7 +1,7 @@', '@@'])
		expect(namesIn(...names, ...hunk.with(0, head), ...next, ...hunk)).toEqual([...names, ...next]);
	expect(namesIn(...names, '@@ -0,0 +1 @@', '+b', ...next, ...hunk)).toEqual([...names, ...next]);
});

test('tells whether a text ends in a line feed, if that changes', () => {
	const edit = (before: string, after: string) =>
		fileChange('Edit', {old_string: before, new_string: after}, 'ok')?.lines.map(({text}) => text);
	expect(edit('a', 'a\n')).toEqual(['-a', '\\ no line feed at the end', '+a']);
	expect(edit('a', 'b')).toEqual(['-a', '+b']);
	const long = 'x\n'.repeat(10_000);
	expect(edit(`${long}a`, `${long}a\n`)).toContain('\\ no line feed at the end');
});
