import type {Line} from '../cells/line.ts';

/**
 * Number of lines in a raw text; a final line feed doesn't start another line. Linear, without allocating
 * strings.
 */
export function lineCount(text: string): number {
	let count = text.endsWith('\n') ? 0 : 1;
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
	return count;
}

/** Do the rows hide part of their message? They show it by `+ 12 lines` or an ellipsis. */
export function isCollapsed(rows: readonly Line[]): boolean {
	return rows.some(row => {
		const last = row.at(-1);
		return last !== undefined && (/^ *\+ /.test(last.text) || last.text.endsWith('\u2026'));
	});
}
