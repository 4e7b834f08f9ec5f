/**
 * Number of lines in a raw text; a final line feed doesn't start another line. Linear, without allocating
 * strings.
 */
export function lineCount(text: string): number {
	let count = text.endsWith('\n') ? 0 : 1;
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
	return count;
}
