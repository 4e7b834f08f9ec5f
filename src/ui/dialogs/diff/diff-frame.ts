import {dialogRect} from '../../kit/dialog-rect.ts';
import type {Layout} from '../../layout.ts';

/** From this width on, a list of the files stands beside the changes. Columns. */
const minWidthWithList = 96;
const listShare = 0.28;
const listMin = 26;
const listMax = 48;
export type Frame = {
	readonly rect: ReturnType<typeof dialogRect>;
	/** Columns of the list of files; 0 without one. */
	readonly listWidth: number;
	readonly width: number;
	readonly height: number;
};

export function frameOf(layout: Layout): Frame {
	const rect = dialogRect(layout, layout.columns, layout.rows);
	const inner = rect.width - 2;
	const hasList = inner >= minWidthWithList && !layout.isScreenReader;
	const listWidth = hasList ? Math.min(listMax, Math.max(listMin, Math.floor(inner * listShare))) : 0;
	return {
		rect,
		listWidth,
		width: inner - listWidth - (hasList ? 3 : 2),
		// The last row is for the words to find.
		height: Math.max(1, rect.height - 3),
	};
}
