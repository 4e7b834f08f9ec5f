import fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {cleanText} from '../../../../src/text/cells/clean.ts';
import {wrapStart, wrapText} from '../../../../src/text/cells/wrap.ts';
import {hostileText} from '../../../support/hostile-text.ts';

test.each([
	['nothing', '', 5, ['']],
	['empty lines are kept', 'a\n\nb\n', 5, ['a', '', 'b', '']],
	['between words', 'one two three', 7, ['one two', 'three']],
	['exactly full', 'one two', 7, ['one two']],
	['a word too long', 'abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
	['after a short word', 'a bcdefgh', 4, ['a', 'bcde', 'fgh']],
	['indentation stays', '  one two', 6, ['  one', 'two']],
	['many spaces at the break', 'one      two', 4, ['one', 'two']],
	['wide characters', '\u6f22\u5b57\u6f22\u5b57x', 5, ['\u6f22\u5b57', '\u6f22\u5b57x']],
	['three columns after a break at a space', '> x\u{20000}\uff9e', 3, ['>', 'x', '\u{20000}\uff9e']],
	['no row begins with what closes', '\u6f22\u5b57\u6f22\u3002x', 6, ['\u6f22\u5b57', '\u6f22\u3002x']],
	['nor with several such', '\u6f22\u5b57\u3002\u300d', 6, ['\u6f22', '\u5b57\u3002\u300d']],
	['nor ends with what opens', '\u6f22\u5b57\uff08\u6f22', 6, ['\u6f22\u5b57', '\uff08\u6f22']],
	['unless there is no room for more', '\u6f22\u3002\uff08', 2, ['\u6f22', '\u3002', '\uff08']],
	['a sign behind a space begins a row', '\u6f22\u5b57 :x', 5, ['\u6f22\u5b57', ':x']],
	['an address that fits a row', 'See https://a.io/b for', 17, ['See', 'https://a.io/b', 'for']],
	['one that fits none', 'See https://a.io/bcd/efghijkl x', 18, ['See https://a.io/', 'bcd/efghijkl x']],
	['one behind its label', 'docs (https://a.io/b/cdefgh)', 20, ['docs (https://a.io/', 'b/cdefgh)']],
	['what closes never stands alone', 'abcdefghijklmnopqrst)', 20, ['abcdefghijkl', 'mnopqrst)']],
	['a long name, behind its last underscore', 'test_one_more_of_them', 18, ['test_one_more_of_', 'them']],
	['a keycap in one column', '1\u20e3a', 1, ['1', 'a']],
	['wide in one column', '\u6f22a', 1, ['\ufffd', 'a']],
	[
		'a grapheme wider than the row, with its mark',
		'\u241b\uff9e\u094d\uff9e',
		2,
		['\u241b\uff9e\u094d', '\uff9e'],
	],
	[
		'flags stay whole',
		'\u{1f1e9}\u{1f1ea}\u{1f1eb}\u{1f1f7}',
		3,
		['\u{1f1e9}\u{1f1ea}', '\u{1f1eb}\u{1f1f7}'],
	],
])('%s', (_, text, width, rows) => {
	expect(wrapText(cleanText(text), width)).toEqual(rows);
});

test('no row is wider than asked, as Ink measures it, and only spaces are lost', () => {
	fc.assert(
		fc.property(hostileText, fc.integer({min: 2, max: 30}), (raw, width) => {
			const text = cleanText(raw);
			const rows = wrapText(text, width);
			for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(width);
			const ink = (value: string) => value.replaceAll(/[ \n]/g, '');
			expect(ink(rows.join(''))).toBe(ink(text));
		}),
		{numRuns: 200},
	);
});

test.each(['\u2000\u{1f300}', '\u3000\u241b', 'ab\u00a0\u6f22'])(
	"keeps a space that isn't a plain one: %j",
	text => {
		expect(wrapText(cleanText(text), 2).join('')).toBe(cleanText(text));
	},
);

test('makes at most as many rows as asked', () => {
	expect(wrapText(cleanText('a b c d e f'), 1, 3)).toEqual(['a', 'b', 'c']);
	expect(wrapText(cleanText('a\nb\nc'), 5, 2)).toEqual(['a', 'b']);
});

test("ends text that doesn't fit the rows with an ellipsis", () => {
	const start = (text: string, width: number, rows: number) => wrapStart(cleanText(text), width, rows);
	expect(start('one two three four', 7, 2)).toEqual(['one two', 'three…']);
	expect(start('one two three four', 7, 1)).toEqual(['one tw…']);
	expect(start('one two three', 7, 2)).toEqual(['one two', 'three']);
	expect(start('one two', 7, 1)).toEqual(['one two']);
});
