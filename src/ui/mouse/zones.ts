import type {Rect} from '../layout.ts';

type Cell = {readonly x: number; readonly y: number};

/** What lies over what: the higher one gets the pointer. */
export const zoneOrder = {pane: 0, divider: 1, over: 2, dialog: 3, footer: 4} as const;

/** A part of the screen that the pointer can do something with. Cells are counted from its own top left. */
export type Zone = {
	readonly rect: Rect;
	readonly order: (typeof zoneOrder)[keyof typeof zoneOrder];
	press?(cell: Cell, isDouble: boolean): void;
	/** Rows to scroll by; down is positive. */
	wheel?(rows: number): void;
	/** The pointer went on with the button held, after a press here: cells of the screen. */
	drag?(at: Cell): void;
	drop?(): void;
};

/** The zones of the last frame, by the name of what draws each. */
export type Zones = Map<string, Zone>;

/** The zone that a cell of the screen belongs to. Under a dialog nothing is reached but the footer. */
export function zoneAt(zones: Iterable<Zone>, {x, y}: Cell, hasDialog: boolean): Zone | undefined {
	let found: Zone | undefined;
	for (const zone of zones) {
		if (hasDialog && zone.order < zoneOrder.dialog) continue;
		if (isInside(zone.rect, x, y) && (found === undefined || zone.order >= found.order)) found = zone;
	}
	return found;
}

/** A cell of the screen, as its zone counts. */
export function cellIn({rect}: Zone, {x, y}: Cell): Cell {
	return {x: x - rect.x, y: y - rect.y};
}

function isInside(rect: Rect, x: number, y: number): boolean {
	return x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
}
