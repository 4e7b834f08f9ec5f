import type {Line} from './line.ts';

/** Do the rows hide part of their message? They show it by `+ 12 lines` or an ellipsis. */
export function isCollapsed(rows: readonly Line[]): boolean {
	return rows.some(row => {
		const last = row.at(-1);
		return last !== undefined && (/^ *\+ /.test(last.text) || last.text.endsWith('\u2026'));
	});
}
