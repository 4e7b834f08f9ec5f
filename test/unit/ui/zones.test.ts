import fc from 'fast-check';
import {expect, test} from 'vitest';
import {layoutPanes, leftWidth} from '../../../src/ui/layout.ts';
import {rowAt} from '../../../src/ui/mouse/use-rows-zone.ts';
import {cellIn, type Zone, zoneAt, zoneOrder} from '../../../src/ui/mouse/zones.ts';

const zone = (
	x: number,
	y: number,
	width: number,
	height: number,
	order: Zone['order'] = zoneOrder.pane,
): Zone => ({
	rect: {x, y, width, height},
	order,
});

test('a cell belongs to the highest zone that contains it', () => {
	const left = zone(0, 1, 30, 20);
	const right = zone(30, 1, 50, 20);
	const divider = zone(29, 1, 2, 20, zoneOrder.divider);
	const zones = [divider, left, right];
	expect(zoneAt(zones, {x: 5, y: 5}, false)).toBe(left);
	expect(zoneAt(zones, {x: 28, y: 20}, false)).toBe(left);
	expect(zoneAt(zones, {x: 29, y: 5}, false)).toBe(divider);
	expect(zoneAt(zones, {x: 30, y: 5}, false)).toBe(divider);
	expect(zoneAt(zones, {x: 31, y: 5}, false)).toBe(right);
	expect(zoneAt(zones, {x: 5, y: 0}, false)).toBeUndefined();
	expect(cellIn(right, {x: 31, y: 5})).toEqual({x: 1, y: 4});
});

test('under a dialog, only the dialog and the footer can be reached', () => {
	const pane = zone(0, 1, 80, 22);
	const dialog = zone(10, 5, 60, 10, zoneOrder.dialog);
	const footer = zone(0, 23, 80, 1, zoneOrder.footer);
	const zones = [footer, dialog, pane];
	expect(zoneAt(zones, {x: 2, y: 2}, true)).toBeUndefined();
	expect(zoneAt(zones, {x: 20, y: 8}, true)).toBe(dialog);
	expect(zoneAt(zones, {x: 20, y: 23}, true)).toBe(footer);
});

test.each([
	[5, 1, 10],
	[5, 5, 14],
	[0, 1, undefined],
	[19, 1, undefined],
	[5, 0, undefined],
	[5, 7, undefined],
	[5, 6, undefined],
])('column %i, row %i of a list of five from row 10 on is row %s', (x, y, row) => {
	const list = {rect: {x: 0, y: 0, width: 20, height: 8}, above: 1, top: 10, shown: 5};
	expect(rowAt(list, x, y)).toBe(row);
});

test('finds rows that are one or two screen rows each', () => {
	const list = {
		rect: {x: 0, y: 0, width: 20, height: 12},
		above: 1,
		rowsEach: [1, 2, 1, 2],
		top: 4,
		shown: 4,
	};
	expect([1, 2, 3, 4, 5, 6, 7].map(y => rowAt(list, 5, y))).toEqual([4, 5, 5, 6, 7, 7, undefined]);
});

test('wherever the divider is dragged, the panes tile the screen and both sides are readable', () => {
	const wishes = {needs: 2, sessions: 5, computers: 3, composer: 1, side: 'lists'} as const;
	fc.assert(
		fc.property(
			fc.integer({min: 100, max: 300}),
			fc.integer({min: 16, max: 80}),
			fc.double({min: 0, max: 1, noNaN: true}),
			(columns, rows, share) => {
				const {sessions, computers, main, composer} = layoutPanes(columns, rows, {...wishes, share});
				const width = leftWidth(columns, share);
				expect([sessions?.width, computers?.width]).toEqual([width, width]);
				// They share the border between them.
				expect(main?.x).toBe((width ?? 0) - 1);
				expect((main?.width ?? 0) + (width ?? 0)).toBe(columns + 1);
				expect(composer?.x).toBe(main?.x);
				expect(width).toBeGreaterThanOrEqual(24);
				expect(main?.width).toBeGreaterThanOrEqual(40);
			},
		),
	);
});
