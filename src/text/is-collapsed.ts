import type {Line} from './line.ts';

/** Do rows leave out anything of their message that unfolding shows? They say so: `+ 12 lines`, or by an ellipsis. */
export function isCollapsed(rows: readonly Line[]): boolean {
	return rows.some(row => {
		const last = row.at(-1);
		return last !== undefined && (/^ *\+ /.test(last.text) || last.text.endsWith('\u2026'));
	});
}
