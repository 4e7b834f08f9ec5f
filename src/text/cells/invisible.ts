/**
 * Writes characters that aren't drawn or reorder others as `<U+200B>`, for a text that the user decides on: format and
 * bidi controls, tags, fillers, unassigned and private ones. Not the selectors that follow common emoji.
 */
export function revealInvisible(text: string): string {
	const invisible =
		/[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
	return text.replace(invisible, character => {
		const code = (character.codePointAt(0) as number).toString(16).toUpperCase();
		return `<U+${code.padStart(4, '0')}>`;
	});
}
