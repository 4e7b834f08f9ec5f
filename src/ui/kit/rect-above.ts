import type {Rect} from '../layout.ts';

const border = 2;

/** A pane for `rows` rows right above another one, limited to the room below the screen's first row. */
export function rectAbove(under: Rect, rows: number): Rect {
	const height = Math.max(border + 1, Math.min(rows + border, under.y - 1));
	return {x: under.x, y: under.y - height, width: under.width, height};
}
