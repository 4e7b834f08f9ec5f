import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type DiffLine, diffLines} from '../../../src/hook-setup/diff.ts';

const signs = {same: ' ', added: '+', removed: '-', place: '', note: '\\ '} as const;
const shown = (before: string | undefined, after: string | undefined) =>
	diffLines(before, after).map(({kind, text}) => signs[kind] + text);
const numbers = (from: number, to: number) =>
	Array.from({length: to - from + 1}, (_, index) => `${from + index}\n`);

describe('a difference', () => {
	test.each([
		['of nothing', 'a\n', 'a\n', []],
		['of a new file', undefined, 'a\nb\n', ['@@ -0,0 +1,2 @@', '+a', '+b']],
		['of a file that goes', 'a\n', undefined, ['@@ -1,1 +0,0 @@', '-a']],
		['of one line', 'a\nb\nc\n', 'a\nx\nc\n', ['@@ -1,3 +1,3 @@', ' a', '-b', '+x', ' c']],
		[
			'of the last line end',
			'a',
			'a\n',
			['@@ -1,1 +1,1 @@', '-a', '\\ no line end at the end of the file', '+a'],
		],
		['of a line end', 'a\r\nb\r\n', 'a\r\nb\n', ['@@ -1,2 +1,2 @@', ' a', '-b', '+b']],
	])('%s', (_, before, after, lines) => {
		expect(shown(before, after)).toEqual(lines);
	});

	test('has three lines around each change, and one place for changes that are close', () => {
		const before = numbers(1, 30);
		const after = before.flatMap(line => (line === '10\n' ? ['ten\n'] : line === '25\n' ? [] : [line]));
		expect(shown(before.join(''), after.join(''))).toEqual([
			'@@ -7,7 +7,7 @@',
			...[' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13'],
			'@@ -22,7 +22,6 @@',
			...[' 22', ' 23', ' 24', '-25', ' 26', ' 27', ' 28'],
		]);
	});

	test('of files too long to compare is still whole', () => {
		const [before, after] = [numbers(1, 3000).join(''), numbers(4001, 7000).join('')];
		expect(diffLines(before, after)).toHaveLength(6001);
	});

	test('holds every change: what it shows makes the one text of the other', () => {
		const text = fc
			.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), {maxLength: 30})
			.map(lines => lines.join(''));
		fc.assert(
			fc.property(text, text, (before, after) => {
				expect(apply(before, diffLines(before, after))).toBe(after);
			}),
		);
	});
});

/** Applies a difference as `patch` does. */
function apply(before: string, lines: readonly DiffLine[]): string {
	const old = before.match(/[^\n]*\n/g) ?? [];
	let at = 0;
	let result = '';
	for (const {kind, text} of lines) {
		if (kind === 'place') {
			const [, start = '', count] = /-(\d+),(\d+)/.exec(text) ?? [];
			const next = Number(start) - (count === '0' ? 0 : 1);
			result += old.slice(at, next).join('');
			at = next;
		} else if (kind === 'added') result += `${text}\n`;
		else {
			expect(old[at]).toBe(`${text}\n`);
			if (kind === 'same') result += `${text}\n`;
			at++;
		}
	}
	return result + old.slice(at).join('');
}
