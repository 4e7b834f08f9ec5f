import {eachGrapheme, graphemeWidth, plainColumns} from './graphemes.ts';
import type {Safe} from './safe.ts';

/** Emoji modifiers: skin tones, emoji and text variation selectors, keycaps. */
const emojiModifiers =
	/(?<=\p{Extended_Pictographic}\ufe0f?)\p{Emoji_Modifier}|[\ufe0e\ufe0f]|(?<=[0-9#*]\ufe0f?)\u20e3/gu;
/** A skin tone without an emoji. Replaced before graphemes are found: it would join what surrounds it. */
const loneTone = /(?<!\p{Extended_Pictographic}\ufe0f?)\p{Emoji_Modifier}/gu;
/** Boundaries where a mark joins the next letter into one grapheme: conjuncts of Indic and related scripts. */
const conjunct = /(?<=\p{Mn})(?=\p{Lo})/gu;
const nonJoiner = '\u200c';
/** Vowels drawn both beside and over their letter, and the equivalent two code points. */
const decomposedVowels: Readonly<Record<string, string>> = {
	'\u0e33': '\u0e4d\u0e32',
	'\u0eb3': '\u0ecd\u0eb2',
};
/** Emoji added since 2024: their width, and whether they exist, depends on the terminal's age. */
const recentEmoji =
	/[\u{1f6d8}\u{1fa89}\u{1fa8a}\u{1fa8e}\u{1fa8f}\u{1fabe}\u{1fac6}\u{1fac8}\u{1facd}\u{1fadc}\u{1fadf}\u{1fae9}\u{1faea}\u{1faef}]/gu;

/**
 * Normalizes a grapheme so that all terminals measure it alike. Some advance by grapheme, others (xterm,
 * tmux, VTE, Alacritty) by code point: a family of four takes two columns or eight, a heart with a selector
 * two or one, and a border after it shifts. So a family becomes its members, an emoji loses its modifiers,
 * and a conjunct becomes its letters: the same columns everywhere.
 */
function normalizeGrapheme(grapheme: string): string {
	return grapheme
		.replace(emojiModifiers, '')
		.replace(conjunct, nonJoiner)
		.replace(/\u200c?([\u0e33\u0eb3])/g, (_, vowel: string) => decomposedVowels[vowel] ?? '')
		.replace(recentEmoji, '\ufffd');
}

/** Default limit on the length of a text, in UTF-16 units. */
export const maxTextLength = 64 * 1024;
/** The same limit for single-line text. */
const maxLineLength = 1024;

const tabStop = 4;
const marksPerGrapheme = 4;
/** Limit on code points per grapheme: the longest emoji sequences have eleven. */
const codePointsPerGrapheme = 16;

/** Printable text that can't hide anything and needs no cleaning. */
const plain =
	/^[\n -~\u00a0-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u2317\u2500-\u25fc\u3000-\u3029\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7a3\ufffd]*$/;

const joiner = /^[\u200c\u200d]$/;
const bidi = /^\p{Bidi_Control}$/u;
const selector = /^\p{Variation_Selector}$/u;
const mark = /^\p{M}$/u;
/** Marks that are drawn over the previous cell. */
const overlay = /^[\p{Mn}\p{Me}]$/u;
/** Letters that join any following text into one grapheme of one column. */
const prepended =
	/[\u{0d4e}\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]/gu;

/**
 * Makes untrusted text safe for the terminal; keeps line feeds. Works by code point and never parses escape
 * sequences, so text after a hostile part can't vanish. First cuts the text to `maxLength` (UTF-16 units,
 * default `maxTextLength`), which bounds the cost. Idempotent. Text that isn't drawn in columns (a file, a
 * pipe) keeps its emoji and conjuncts whole.
 */
export function cleanText(
	raw: string,
	{maxLength = maxTextLength, isDrawn = true}: {maxLength?: number; isDrawn?: boolean} = {},
): Safe {
	const capped = raw.length > maxLength ? raw.slice(0, maxLength) : raw;
	if (plain.test(capped)) return capped as Safe;
	// What must not reach the terminal unchanged; variation selectors are handled with their grapheme. Compiled here:
	// most texts are plain, and sets of Unicode properties take long.
	const doubtful = /[\p{Cc}\p{Cf}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;
	const visible = capped
		.toWellFormed()
		.replace(/\r\n?|[\u2028\u2029]/g, '\n')
		.replace(doubtful, character =>
			!isDrawn && joiner.test(character) ? character : visibleSign(character),
		);
	if (!isDrawn) return visible as Safe;
	return settleText(visible.replace(prepended, '\ufffd').replace(loneTone, '\ufffd'));
}

function settleText(visible: string): Safe {
	return (plain.test(visible) ? visible : settleGraphemes(visible)) as Safe;
}

/** The same for single-line text: line feeds become their symbol, and cut text ends with an ellipsis. */
export function cleanLine(raw: string, maxLength: number = maxLineLength): Safe {
	const cleaned = cleanText(raw, {maxLength}).replaceAll('\n', '\u240a');
	return (raw.length > maxLength ? `${cleaned}\u2026` : cleaned) as Safe;
}

function visibleSign(character: string): string {
	const code = character.codePointAt(0) as number;
	if (code === 0x0a || code === 0x09) return character;
	if (code < 0x20) return String.fromCharCode(0x2400 + code);
	if (code === 0x7f) return '\u2421';
	if (code < 0xa0 || bidi.test(character)) return '\ufffd';
	return selector.test(character) ? character : '';
}

/** Expands tabs to spaces and limits each grapheme to what terminals measure alike. */
function settleGraphemes(text: string): string {
	let settled = '';
	let column = 0;
	eachGrapheme(text, grapheme => {
		if (grapheme === '\n') {
			column = 0;
			settled += grapheme;
		} else if (grapheme === '\t') {
			const spaces = tabStop - (column % tabStop);
			column += spaces;
			settled += ' '.repeat(spaces);
		} else {
			const settledGrapheme = settleGrapheme(grapheme);
			column += graphemeWidth(settledGrapheme);
			settled += settledGrapheme;
		}
		return undefined;
	});
	return settled;
}

/**
 * Limits a grapheme to characters that all terminals measure alike, at most four marks, and a bounded length.
 * A mark without a base character would be drawn over the previous cell, so it gets a dotted circle.
 */
function settleGrapheme(grapheme: string): string {
	if (grapheme.length === 1 && plainColumns(grapheme.charCodeAt(0)) > 0) return grapheme;
	let limited = '';
	let count = 0;
	let marks = 0;
	let before = '';
	for (const character of normalizeGrapheme(grapheme.slice(0, codePointsPerGrapheme * 8))) {
		if (selector.test(character)) {
			if (limited === '' || mark.test(before)) continue;
			if (++marks > marksPerGrapheme) continue;
		} else if (mark.test(character)) {
			if (++marks > marksPerGrapheme) continue;
			if (limited === '' && overlay.test(character)) limited = '\u25cc';
		}
		if (++count > codePointsPerGrapheme) return `${limited}\ufffd`;
		limited += character;
		before = character;
	}
	return limited;
}
