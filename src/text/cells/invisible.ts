/**
 * Characters that aren't drawn or reorder others: format and bidi controls, tags, fillers, unassigned and private ones.
 * Not the selectors that follow common emoji.
 */
const invisible =
	/[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

/** Writes invisible characters as `<U+200B>`, for a text that the user decides on. */
export function revealInvisible(text: string): string {
	return text.replace(invisible, character => {
		const code = (character.codePointAt(0) as number).toString(16).toUpperCase();
		return `<U+${code.padStart(4, '0')}>`;
	});
}
