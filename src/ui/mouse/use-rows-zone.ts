import type {Rect} from '../layout.ts';
import {useZone} from './use-zone.ts';
import {type Zone, zoneOrder} from './zones.ts';

/** A list in a pane, as it was drawn. */
export type RowsZone = {
	readonly rect: Rect;
	readonly order?: Zone['order'];
	/** Rows of the pane above the list's first one, the border among them. */
	readonly above: number;
	/** Screen rows that one of the list takes; 1 when left out. */
	readonly rowsEach?: number;
	/** Index of the first row in sight, and how many are seen. */
	readonly top: number;
	readonly shown: number;
	/** `undefined`: the pane was pressed where none is. */
	readonly pick: (index: number | undefined, isDouble: boolean) => void;
	readonly wheel?: (rows: number) => void;
};

/** Lets the pointer choose rows of a list and scroll it. */
export function useRowsZone(zone: RowsZone | undefined): void {
	useZone(
		zone && {
			rect: zone.rect,
			order: zone.order ?? zoneOrder.pane,
			press: ({x, y}, isDouble) => zone.pick(rowAt(zone, x, y), isDouble),
			...(zone.wheel && {wheel: zone.wheel}),
		},
	);
}

/** The index of the row at a cell of the pane; none on its border and beside its rows. */
export function rowAt(zone: Omit<RowsZone, 'pick'>, x: number, y: number): number | undefined {
	const {rect, above, rowsEach = 1, top, shown} = zone;
	if (x < 1 || x >= rect.width - 1 || y < above || y >= rect.height - 1) return undefined;
	const row = Math.floor((y - above) / rowsEach);
	return row < shown ? top + row : undefined;
}
