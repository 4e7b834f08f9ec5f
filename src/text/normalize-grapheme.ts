/** How emoji are dressed: in a skin tone, as a picture or as text, as a key. */
const emojiModifiers =
	/(?<=\p{Extended_Pictographic}\ufe0f?)\p{Emoji_Modifier}|[\ufe0e\ufe0f]|(?<=[0-9#*]\ufe0f?)\u20e3/gu;
const loneTone = /\p{Emoji_Modifier}/gu;
/** Letters that a mark before them makes part of one sign: conjuncts of the scripts of India and their kin. */
const conjunct = /(?<=\p{Mn})(?=\p{Lo})/gu;
const nonJoiner = '\u200c';
/** Vowels that stand beside their letter and over it, and the two parts they are the same as. */
const decomposedVowels: Readonly<Record<string, string>> = {
	'\u0e33': '\u0e4d\u0e32',
	'\u0eb3': '\u0ecd\u0eb2',
};
/** Pictures added since 2024: whether they are wide, or there at all, depends on the age of the terminal. */
const recentEmoji =
	/[\u{1f6d8}\u{1fa89}\u{1fa8a}\u{1fa8e}\u{1fa8f}\u{1fabe}\u{1fac6}\u{1fac8}\u{1facd}\u{1fadc}\u{1fadf}\u{1fae9}\u{1faea}\u{1faef}]/gu;

/**
 * A grapheme as all terminals measure it. Some advance by grapheme, others (xterm, tmux, VTE, Alacritty) by code point:
 * a family of four is two columns or eight, a heart with a selector two or one, and a border after it moves. So a family
 * is drawn as its members, an emoji without its dress, and a conjunct as its letters: the same columns everywhere.
 */
export function normalizeGrapheme(grapheme: string): string {
	return grapheme
		.replace(emojiModifiers, '')
		.replace(loneTone, '\ufffd')
		.replace(conjunct, nonJoiner)
		.replace(/\u200c?([\u0e33\u0eb3])/g, (_, vowel: string) => decomposedVowels[vowel] ?? '')
		.replace(recentEmoji, '\ufffd');
}
