import type {Layout, Rect} from '../layout.ts';

/** The rectangle of a dialog with so many columns and rows of content: in the middle, inside the screen. */
export function dialogRect(layout: Pick<Layout, 'columns' | 'rows'>, columns: number, rows: number): Rect {
	const width = Math.min(columns + 2, layout.columns - 2);
	const height = Math.min(rows + 2, layout.rows - 2);
	return {
		x: Math.floor((layout.columns - width) / 2),
		y: Math.max(1, Math.floor((layout.rows - height) / 2)),
		width,
		height,
	};
}
