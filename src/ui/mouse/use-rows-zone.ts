import type {Subject} from '../../domain/sessions/attention.ts';
import type {Lists} from '../../state/lists/lists.ts';
import type {Section} from '../../state/lists/row-positions.ts';
import {cursorAt, cursorOn} from '../../state/view/cursor.ts';
import {withCursor} from '../../state/view/shown-item.ts';
import {setView} from '../../state/view/view.ts';
import type {Rect} from '../layout.ts';
import type {AppParts} from '../use-app.ts';
import {useZone, type Zone, zoneOrder} from './zones.ts';

type RowsZone = {
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

/** Moves the cursor and focus to a list row; a double press opens it. */
export function pickRow(
	parts: AppParts,
	lists: Lists,
	section: Section,
	{item, isDouble}: {readonly item: Subject | undefined; readonly isDouble: boolean},
): void {
	setView(parts.view, ({replyTo: _, ...view}) => {
		const isInSection = view.cursor?.section === section;
		const current = isInSection ? view.cursor : cursorAt(lists, section, 0);
		const cursor = item === undefined ? current : cursorOn(section, item);
		return {...withCursor(view, cursor), focus: 'lists'};
	});
	if (isDouble && item !== undefined) parts.input.run(parts, 'open');
}
