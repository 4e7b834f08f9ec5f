import {expect} from 'vitest';
import type {Rect} from '../../src/ui/layout.ts';

/** Asserts that the panes fill an area without gaps, and that what they have in common is only their borders. */
export function expectTiled(panes: readonly Rect[], area: Rect): void {
	const covered = new Uint8Array(area.width * area.height);
	const inside = new Uint8Array(area.width * area.height);
	for (const {x, y, width, height} of panes) {
		expect(x >= area.x && x + width <= area.x + area.width).toBe(true);
		expect(y >= area.y && y + height <= area.y + area.height).toBe(true);
		for (let row = 0; row < height; row++)
			for (let column = 0; column < width; column++) {
				const cell = (y - area.y + row) * area.width + x - area.x + column;
				const isBorder = row === 0 || row === height - 1 || column === 0 || column === width - 1;
				covered[cell] = (covered[cell] ?? 0) + 1;
				if (!isBorder) inside[cell] = 1;
			}
	}
	expect(covered.every(count => count >= 1)).toBe(true);
	expect(covered.some((count, cell) => count > 1 && inside[cell] === 1)).toBe(false);
}
