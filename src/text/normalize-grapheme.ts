/** Emoji modifiers: skin tones, emoji and text variation selectors, keycaps. */
const emojiModifiers =
	/(?<=\p{Extended_Pictographic}\ufe0f?)\p{Emoji_Modifier}|[\ufe0e\ufe0f]|(?<=[0-9#*]\ufe0f?)\u20e3/gu;
const loneTone = /\p{Emoji_Modifier}/gu;
/**
 * Boundaries where a mark joins the next letter into one grapheme: conjuncts of Indic and related scripts.
 */
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
export function normalizeGrapheme(grapheme: string): string {
	return grapheme
		.replace(emojiModifiers, '')
		.replace(loneTone, '\ufffd')
		.replace(conjunct, nonJoiner)
		.replace(/\u200c?([\u0e33\u0eb3])/g, (_, vowel: string) => decomposedVowels[vowel] ?? '')
		.replace(recentEmoji, '\ufffd');
}
