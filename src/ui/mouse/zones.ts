import {useId, useLayoutEffect} from 'react';
import {typesText} from '../../keys/key-name.ts';
import type {ActionName} from '../keys/binding.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import type {Rect} from '../layout.ts';
import {type AppParts, useApp} from '../use-app.ts';

type Cell = {readonly x: number; readonly y: number};

/** Stacking order: the highest zone gets the pointer. */
export const zoneOrder = {pane: 0, divider: 1, over: 2, dialog: 3, footer: 4} as const;

/** A part of the screen that reacts to the pointer. Cells are relative to its top left. */
export type Zone = {
	readonly rect: Rect;
	readonly order: (typeof zoneOrder)[keyof typeof zoneOrder];
	press?(cell: Cell, isDouble: boolean): void;
	/** Rows to scroll by; down is positive. */
	wheel?(rows: number): void;
	/** The pointer moved with the button held after a press here; `at` is in screen cells. */
	drag?(at: Cell): void;
};

/** The zones of the last frame, by the id of the component that draws each. */
export type Zones = Map<string, Zone>;

/** The zone at a screen cell. While a dialog is open, nothing below it can be reached except the footer. */
export function zoneAt(zones: Iterable<Zone>, {x, y}: Cell, hasDialog: boolean): Zone | undefined {
	let found: Zone | undefined;
	for (const zone of zones) {
		if (hasDialog && zone.order < zoneOrder.dialog) continue;
		if (isInside(zone.rect, x, y) && (found === undefined || isOver(zone, found))) found = zone;
	}
	return found;
}

/** A border that two panes share belongs to the right or lower one. */
function isOver(zone: Zone, other: Zone): boolean {
	if (zone.order !== zoneOrder.pane || other.order !== zoneOrder.pane) return zone.order >= other.order;
	if (zone.rect.x !== other.rect.x) return zone.rect.x > other.rect.x;
	return zone.rect.y >= other.rect.y;
}

/** Converts a screen cell to the zone's coordinates. */
export function cellIn({rect}: Zone, {x, y}: Cell): Cell {
	return {x: x - rect.x, y: y - rect.y};
}

function isInside(rect: Rect, x: number, y: number): boolean {
	return x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
}

/** Sends the pointer's input in a zone to a component while it is mounted. */
export function useZone(zone: Zone | undefined): void {
	const {zones} = useApp();
	const id = useId();
	useLayoutEffect(() => {
		if (zone) zones.set(id, zone);
		return () => void zones.delete(id);
	});
}

/** Presses a key for the user, on a click on its hint. */
export function pressKey(parts: AppParts, key: string): void {
	const text = key === 'space' ? ' ' : typesText(key) ? key : '';
	parts.input.press(parts, {name: key, text, isClicked: true});
}

/** Performs an action's key in a context; does nothing if the action has no key there. */
export function pressAction(parts: AppParts, context: KeyContext, action: ActionName): void {
	const {keys} = parts;
	const [key] = keys.bindings
		.filter(binding => binding.action === action)
		.flatMap(binding => keys.keysOf(binding, [context]));
	if (key !== undefined) pressKey(parts, key);
}
