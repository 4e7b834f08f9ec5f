import {dialogRect} from '../../kit/dialog-rect.ts';
import type {Layout} from '../../layout.ts';

/** Minimum width, in columns, for the list of files beside the changes; and the list's width. */
const minWidthWithList = 96;
const list = {share: 0.28, min: 26, max: 48} as const;

export type Frame = ReturnType<typeof frameOf>;

/** The dialog's rectangle, the columns of the list of files (0 without one), and the size of the changes. */
export function frameOf(layout: Layout) {
	const rect = dialogRect(layout, layout.columns, layout.rows);
	const inner = rect.width - 2;
	const hasList = inner >= minWidthWithList && !layout.isScreenReader;
	const listWidth = hasList ? Math.min(list.max, Math.max(list.min, Math.floor(inner * list.share))) : 0;
	return {
		rect,
		listWidth,
		width: inner - listWidth - (hasList ? 3 : 2),
		// The last row is for the search.
		height: Math.max(1, rect.height - 3),
	};
}
