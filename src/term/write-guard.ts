/** Every sequence that Ink writes (8.0.0, with the options in `main.tsx`), after its ESC. Nothing else may leave. */
const ours = [
	'\\[[\\d;:]{0,80}m', // looks
	'\\[\\d{0,4}[ABCDEG]', // cursor by rows and columns
	'\\[\\d{1,4};\\d{1,4}H',
	'\\[2?K',
	'\\[J',
	'\\[\\?(?:25|1049|2004|2026)[hl]', // cursor, alternate screen, bracketed paste, synchronised update
	'\\[\\?u', // kitty keyboard: ask, push, pop
	'\\[>\\d{1,2}u',
	'\\[<u',
].join('|');

/** Controls other than line feed, an ESC that begins none of ours, and characters that turn text around. */
const foreign = new RegExp(
	`[\\0-\\x09\\x0b-\\x1a\\x1c-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]|\\x1b(?!${ours})`,
	'g',
);

/**
 * Second line of defense after `cleanText`: replaces every control character in a frame that isn't part of a sequence
 * Ink itself writes, and counts them. If `cleanText` is correct, the count stays 0.
 */
export function guardWrite(chunk: string): {text: string; foreign: number} {
	// `search` ignores lastIndex and makes nothing: the whole cost of a sound frame.
	if (chunk.search(foreign) === -1) return {text: chunk, foreign: 0};
	let count = 0;
	const text = chunk.replace(foreign, character => {
		count++;
		const code = character.charCodeAt(0);
		return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
	});
	return {text, foreign: count};
}
