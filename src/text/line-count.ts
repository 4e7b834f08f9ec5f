/** Line feeds in a raw text, plus one; a line feed at the very end begins no line. Linear, without making strings. */
export function lineCount(text: string): number {
	let count = text.endsWith('\n') ? 0 : 1;
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
	return count;
}
