import type {Rect} from '../layout.ts';

const border = 2;

/** A pane for so many rows right over another one, as far as the screen has room under its first row. */
export function rectAbove(under: Rect, rows: number): Rect {
	const height = Math.max(border + 1, Math.min(rows + border, under.y - 1));
	return {x: under.x, y: under.y - height, width: under.width, height};
}
