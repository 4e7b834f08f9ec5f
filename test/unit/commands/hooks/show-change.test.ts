import {expect, test} from 'vitest';
import {unifiedDiff} from '../../../../src/commands/hooks/change.ts';

test.each([
	['nothing', 'a\n', 'a\n', []],
	['a new file', undefined, 'a\nb\n', ['@@ -0,0 +1,2 @@', '+a', '+b']],
	['a file that goes', 'a\n', undefined, ['@@ -1,1 +0,0 @@', '-a']],
	['one line', 'a\nb\nc\n', 'a\nx\nc\n', ['@@ -1,3 +1,3 @@', ' a', '-b', '+x', ' c']],
	['the last line end', 'a', 'a\n', ['@@ -1,1 +1,1 @@', '-a', '\\ No newline at end of file', '+a']],
	['a line end', 'a\r\nb\r\n', 'a\r\nb\n', ['@@ -1,2 +1,2 @@', ' a', '-b', '+b']],
])('the difference of %s', (_, before, after, lines) => {
	expect(unifiedDiff(before, after)).toEqual(lines);
});
