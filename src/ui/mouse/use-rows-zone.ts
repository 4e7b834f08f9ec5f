import type {Rect} from '../layout.ts';
import {useZone, type Zone, zoneOrder} from './zones.ts';

export type RowsZone = {
	readonly rect: Rect;
	readonly order?: Zone['order'];
	/** Rows of the pane above the first list row, including the border. */
	readonly above: number;
	/** Screen rows per list row: the same for all, or of each visible one; defaults to 1. */
	readonly rowsEach?: number | readonly number[];
	/** Index of the first visible row, and the number of visible rows. */
	readonly top: number;
	readonly shown: number;
	/** `undefined`: the pane was pressed outside its rows. */
	readonly pick: (index: number | undefined, isDouble: boolean) => void;
	readonly wheel?: (rows: number) => void;
};

/** Lets the pointer pick rows of a list and scroll it. */
export function useRowsZone(zone: RowsZone): void {
	useZone({
		rect: zone.rect,
		order: zone.order ?? zoneOrder.pane,
		press: ({x, y}, isDouble) => zone.pick(rowAt(zone, x, y), isDouble),
		wheel: zone.wheel,
	});
}

/** The index of the row at a cell of the pane; undefined on its border and outside its rows. */
export function rowAt(zone: Omit<RowsZone, 'pick'>, x: number, y: number): number | undefined {
	const {rect, above, rowsEach = 1, top, shown} = zone;
	if (x < 1 || x >= rect.width - 1 || y < above || y >= rect.height - 1) return undefined;
	const row =
		typeof rowsEach === 'number' ? Math.floor((y - above) / rowsEach) : rowUnder(rowsEach, y - above);
	return row < shown ? top + row : undefined;
}

/** Index of the row that covers line `y`, or the number of rows. */
function rowUnder(heights: readonly number[], y: number): number {
	let below = 0;
	const row = heights.findIndex(height => {
		below += height;
		return y < below;
	});
	return row < 0 ? heights.length : row;
}
