import type {Layout, Rect} from '../layout.ts';

/** Minimum columns left beside a dialog; fewer would show only noise. */
const beside = 3;

/** The rectangle of a dialog with the given columns and rows of content: centered, inside the screen. */
export function dialogRect(
	layout: Pick<Layout, 'columns' | 'rows' | 'isScreenReader'>,
	columns: number,
	rows: number,
): Rect {
	// For a screen reader, the dialog is alone on the screen.
	if (layout.isScreenReader)
		return {x: 0, y: 1, width: layout.columns, height: Math.min(rows + 2, layout.rows - 2)};
	const wanted = columns + 2;
	const width = wanted > layout.columns - beside * 2 ? layout.columns : wanted;
	const height = Math.min(rows + 2, layout.rows - 2);
	return {
		x: Math.floor((layout.columns - width) / 2),
		y: Math.max(1, Math.floor((layout.rows - height) / 2)),
		width,
		height,
	};
}
