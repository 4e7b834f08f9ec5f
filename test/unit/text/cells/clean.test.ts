import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cleanLine, cleanText} from '../../../../src/text/cells/clean.ts';
import {hostileText} from '../../../support/hostile-text.ts';

test.each([
	['plain', 'hello\nworld', 'hello\nworld'],
	['CRLF and CR', 'a\r\nb\rc', 'a\nb\nc'],
	['line and paragraph separators', 'a\u2028b\u2029c', 'a\nb\nc'],
	['a tab goes to the next stop', 'ab\tc\n\td', 'ab  c\n    d'],
	['a tab after a wide character', '\u6f22\tx', '\u6f22  x'],
	['color is shown, not obeyed', '\x1b[31mred\x1b[0m', '\u241b[31mred\u241b[0m'],
	['a doubled escape', '\x1b\x1b]0;x\x07y', '\u241b\u241b]0;x\u2407y'],
	['an unterminated string swallows nothing', 'a\x1b]8;;http://x y', 'a\u241b]8;;http://x y'],
	['DEL', 'a\x7fb', 'a\u2421b'],
	['C1', 'a\x9bb\x85c', 'a\ufffdb\ufffdc'],
	['bidi controls', 'a\u202eb\u2066c\u200fd', 'a\ufffdb\ufffdc\ufffdd'],
	['invisible and unassigned', 'a\u200bb\u00adc\ufeffd\u0378e\u{e0041}f', 'abcdef'],
	['lone surrogates', 'a\ud800b', 'a\ufffdb'],
	['a joiner outside an emoji', 'a\u200db', 'ab'],
	[
		'a family as its members, without their skin',
		'\u{1f468}\u{1f3fb}\u200d\u{1f469}\u{1f3fc}\u200d\u{1f467}!',
		'\u{1f468}\u{1f469}\u{1f467}!',
	],
	['a skin tone on no picture', 'a\u{1f3fb}', 'a\ufffd'],
	['a selector for emoji, and for text', '\u2764\ufe0f\u231a\ufe0e', '\u2764\u231a'],
	['a keycap', '1\ufe0f\u20e32\u20e3', '12'],
	['a flag', '\u{1f1e9}\u{1f1ea}', '\u{1f1e9}\u{1f1ea}'],
	['a picture that terminals may not know', '\u{1fae9}', '\ufffd'],
	['a selector of an ideograph', '\u845b\u{e0100}', '\u845b\u{e0100}'],
	['a Thai vowel that stands beside and over', '\u0e19\u0e49\u0e33', '\u0e19\u0e49\u0e4d\u0e32'],
	['a conjunct', '\u0915\u094d\u0937', '\u0915\u094d\u200c\u0937'],
	['a variation selector alone', '\ufe0fa', 'a'],
	['at most four marks', `e${'\u0301'.repeat(9)}x`, `e${'\u0301'.repeat(4)}x`],
	['a spacing mark with no base has its own cell', '\u1083\u25cc\u1083', '\u1083\u25cc\u1083'],
	['a mark with no base', '\u0301x', '\u25cc\u0301x'],
	['letters that prepend themselves', '\u0d4e\u0d4ea', '\ufffd\ufffda'],
])('%s', (_, raw, cleaned) => {
	expect(cleanText(raw)).toBe(cleaned);
});

test('caps the length before anything else', () => {
	expect(cleanText('abc\u202edef', {maxLength: 4})).toBe('abc\ufffd');
	expect(cleanLine('abcdef', 3)).toBe('abc\u2026');
});

test("keeps emoji whole in text that isn't drawn, but nothing hostile", () => {
	const family = '\u{1f468}\u{1f3fb}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f \u0915\u094d\u0937';
	expect(cleanText(family, {isDrawn: false})).toBe(family);
	expect(cleanText('a\x1b[2J\u202eb\u200bc\x9b', {isDrawn: false})).toBe('a\u241b[2J\ufffdbc\ufffd');
});

test('shows line feeds in a line as signs', () => {
	expect(cleanLine('a\r\nb')).toBe('a\u240ab');
});

const forbidden = /[\p{Cf}\p{Cn}\p{Cs}\p{Bidi_Control}\u2028\u2029\0-\x09\x0b-\x1f\x7f-\x9f]/u;

test("a skin tone between letters doesn't join them, even if cleaned twice", () => {
	const cleaned = cleanText('\u0915\u{1f3fd}\u094d\u0915');
	expect(cleaned).toBe('\u0915\ufffd\u094d\u0915');
	expect(cleanText(cleaned)).toBe(cleaned);
});

test('lets no control, bidi or lone surrogate through, and cleaning twice changes nothing more', () => {
	fc.assert(
		fc.property(hostileText, raw => {
			const cleaned = cleanText(raw);
			expect(forbidden.exec(cleaned.replace(/(?<=\p{Mn})\u200c(?=\p{Lo})/gu, ''))).toBeNull();
			expect(cleaned).not.toMatch(/\p{M}{5}|\p{Emoji_Modifier}/u);
			expect(cleanText(cleaned)).toBe(cleaned);
		}),
		{numRuns: 200},
	);
});

test('keeps what follows a hostile part', () => {
	fc.assert(
		fc.property(hostileText, raw => {
			expect(cleanText(`${raw} the end`).endsWith('the end')).toBe(true);
		}),
		{numRuns: 200},
	);
});
