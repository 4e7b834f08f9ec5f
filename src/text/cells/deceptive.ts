/** Look like a Latin letter. */
const letters =
	'аеорсухіјѕһԁԛԝѵӏгкАВЕКМНОРСТУХІЈЅԌԚԜӀαικνορτυϲϳγΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսհքցԱՏՕՍıɡɑɩſᴄᴏᴠᴡᴢꜱⲟⲣⲥ' +
	'ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᏃꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ';
/** Look like the punctuation of a command or address, or are forms of Latin characters for other purposes. */
const form =
	/[\u2010\u2011\u2212\u2043\u2215\u2044\u29f8\u2236\ua789\u0589\u037e\u2024\u201a\u01c3\u2223\u01c0\u223c\u2217\u204e\u2039\u203a\u02bc\u02b9\u1fef\uff01-\uff5e\u2100-\u214f\u2160-\u217f\ufb00-\ufb06\u{1d400}-\u{1d7ff}]/gu;
const asciiWord = /^\w+$/;

/**
 * Marks what could deceive whoever decides on a text: `<U+200B>` for a character that isn't drawn, and the code after
 * one that looks like an ASCII character. Words of another script stay as they are.
 */
export function markDeceptive(text: string): string {
	if (/^[\t\n -~]*$/.test(text)) return text;
	// Not drawn, reorders others, or is one of too many marks on a letter: its code is shown in its place. Compiled here:
	// sets of Unicode properties take long.
	const hidden =
		/[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic}|[#*\d](?=\ufe0f\u20e3))[\ufe0e\ufe0f]|(?<=\p{M}{4})\p{M}|\r(?!\n)/gu;
	return text
		.replace(hidden, codeOf)
		.split('\n')
		.map(line => (/^[\t -~]*$/.test(line) ? line : markLine(line)))
		.join('\n');
}

function markLine(line: string): string {
	const anyWord = /[\p{L}\p{M}\p{N}_]+/gu;
	const letter = new RegExp(`[${letters}]`, 'gu');
	const lookAlike = new RegExp(`^[${letters}\\d_]+$`, 'u');
	/** Whether the line has words that no Latin text could be meant by. */
	const isForeign = (line.match(anyWord) ?? []).some(
		word => !asciiWord.test(word) && !/[A-Za-z]/.test(word) && !lookAlike.test(word),
	);
	return line
		.replace(anyWord, (word, at: number) => {
			if (asciiWord.test(word)) return word;
			const isApart = /^\s?$/.test(line[at - 1] ?? '') && /^\s?$/.test(line[at + word.length] ?? '');
			const isDeceptive = /[A-Za-z]/.test(word) || (lookAlike.test(word) && !(isForeign && isApart));
			return isDeceptive ? word.replace(letter, withCode) : word;
		})
		.replace(form, character =>
			/^[!-~]+$/.test(character.normalize('NFKC')) || /\p{P}|\p{S}|[ǃǀʼʹ]/u.test(character)
				? withCode(character)
				: character,
		);
}

function withCode(character: string): string {
	return character + codeOf(character);
}

function codeOf(character: string): string {
	const code = (character.codePointAt(0) as number).toString(16).toUpperCase();
	return `<U+${code.padStart(4, '0')}>`;
}
