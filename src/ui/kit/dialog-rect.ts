import type {Layout, Rect} from '../layout.ts';

const border = 2;

/** A pane for `rows` rows above the composer, if that is on the screen. */
export function rectOverComposer(layout: Layout, rows: number): Rect {
	return layout.composer ? rectAbove(layout.composer, rows) : dialogRect(layout, 76, rows);
}

/** A pane for `rows` rows right above another one, limited to the room below the screen's first row. */
export function rectAbove(under: Rect, rows: number): Rect {
	const height = Math.max(border + 1, Math.min(rows + border, under.y - 1));
	return {x: under.x, y: under.y - height, width: under.width, height};
}

/** Minimum columns beside a dialog; with fewer, it takes the whole width. */
const minMargin = 3;

/** The rectangle of a dialog with the given columns and rows of content: centered, inside the screen. */
export function dialogRect(layout: Layout, columns: number, rows: number): Rect {
	// For a screen reader, the dialog is alone on the screen.
	if (layout.isScreenReader)
		return {x: 0, y: 1, width: layout.columns, height: Math.min(rows + 2, layout.rows - 2)};
	const wanted = columns + 2;
	const width = wanted > layout.columns - minMargin * 2 ? layout.columns : wanted;
	const height = Math.min(rows + 2, layout.rows - 2);
	return {
		x: Math.floor((layout.columns - width) / 2),
		y: Math.max(1, Math.floor((layout.rows - height) / 2)),
		width,
		height,
	};
}
