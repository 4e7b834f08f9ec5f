/** Every sequence that Ink 8.0.0 writes with our options, without its ESC. No other may pass. */
const ours = [
	'\\[[\\d;:]{0,80}m', // text styles
	'\\[\\d{0,4}[ABCDEG]', // cursor by rows and columns
	'\\[\\d{1,4};\\d{1,4}H',
	'\\[2?K',
	'\\[J',
	'\\[\\?(?:25|1049|2004|2026)[hl]', // cursor, alternate screen, bracketed paste, synchronized update
	'\\[\\?u', // kitty keyboard: ask, push, pop
	'\\[>\\d{1,2}u',
	'\\[<u',
].join('|');

/** Control characters but line feed, an ESC of no such sequence, and bidirectional controls. */
const foreign = new RegExp(
	`[\\0-\\x09\\x0b-\\x1a\\x1c-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]|\\x1b(?!${ours})`,
	'g',
);

/**
 * Second line of defense after `cleanText`: replaces every control character in a frame that isn't part of
 * Ink's own sequences, and counts them. If `cleanText` is correct, the count stays 0.
 */
export function guardWrite(chunk: string): {text: string; foreign: number} {
	// `search` ignores lastIndex and allocates nothing: the only cost of a clean frame.
	if (chunk.search(foreign) === -1) return {text: chunk, foreign: 0};
	let count = 0;
	const text = chunk.replace(foreign, character => {
		count++;
		const code = character.charCodeAt(0);
		return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
	});
	return {text, foreign: count};
}
