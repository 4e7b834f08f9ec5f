import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {unifiedDiff} from '../../../src/hook-setup/diff.ts';

const numbers = (from: number, to: number) =>
	Array.from({length: to - from + 1}, (_, index) => `${from + index}\n`);

describe('a difference', () => {
	test.each([
		['of nothing', 'a\n', 'a\n', []],
		['of a new file', undefined, 'a\nb\n', ['@@ -0,0 +1,2 @@', '+a', '+b']],
		['of a file that goes', 'a\n', undefined, ['@@ -1,1 +0,0 @@', '-a']],
		['of one line', 'a\nb\nc\n', 'a\nx\nc\n', ['@@ -1,3 +1,3 @@', ' a', '-b', '+x', ' c']],
		['of the last line end', 'a', 'a\n', ['@@ -1,1 +1,1 @@', '-a', '\\ No newline at end of file', '+a']],
		['of a line end', 'a\r\nb\r\n', 'a\r\nb\n', ['@@ -1,2 +1,2 @@', ' a', '-b', '+b']],
	])('%s', (_, before, after, lines) => {
		expect(unifiedDiff(before, after)).toEqual(lines);
	});

	test('has three lines around each change, and separate parts for distant changes', () => {
		const before = numbers(1, 30);
		const after = before.flatMap(line => (line === '10\n' ? ['ten\n'] : line === '25\n' ? [] : [line]));
		expect(unifiedDiff(before.join(''), after.join(''))).toEqual([
			'@@ -7,7 +7,7 @@',
			...[' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13'],
			'@@ -22,7 +22,6 @@',
			...[' 22', ' 23', ' 24', '-25', ' 26', ' 27', ' 28'],
		]);
	});

	test('of files that share no line is complete', () => {
		const [before, after] = [numbers(1, 500).join(''), numbers(501, 1000).join('')];
		const lines = unifiedDiff(before, after);
		expect(lines).toHaveLength(1001);
		expect(apply(before, lines)).toBe(after);
	});

	test('holds every change: applying it turns one text into the other', () => {
		const text = fc
			.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), {maxLength: 30})
			.map(lines => lines.join(''));
		fc.assert(
			fc.property(text, text, (before, after) => {
				expect(apply(before, unifiedDiff(before, after))).toBe(after);
			}),
		);
	});
});

/** Applies a difference as `patch` does. */
function apply(before: string, lines: readonly string[]): string {
	const old = before.match(/[^\n]*\n/g) ?? [];
	let at = 0;
	let result = '';
	for (const line of lines) {
		const text = `${line.slice(1)}\n`;
		if (line.startsWith('@@')) {
			const [, start = '', count] = /-(\d+),(\d+)/.exec(line) ?? [];
			const next = Number(start) - (count === '0' ? 0 : 1);
			result += old.slice(at, next).join('');
			at = next;
		} else if (line.startsWith('+')) result += text;
		else {
			expect(old[at]).toBe(text);
			if (line.startsWith(' ')) result += text;
			at++;
		}
	}
	return result + old.slice(at).join('');
}
