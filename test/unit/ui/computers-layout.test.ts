import fc from 'fast-check';
import {expect, test} from 'vitest';
import {computersLayout} from '../../../src/ui/computers/computers-now.ts';
import {minimum} from '../../../src/ui/layout.ts';
import {expectTiled} from '../../support/tiled.ts';

test('table and detail tile the screen between header and footer, or one of them fills it', () => {
	const sizes = fc.record({
		columns: fc.integer({min: minimum.columns, max: 400}),
		rows: fc.integer({min: minimum.rows, max: 120}),
	});
	fc.assert(
		fc.property(sizes, fc.constantFrom('table' as const, 'detail' as const), (size, pane) => {
			const {table, detail} = computersLayout(size, pane);
			const panes = [table, detail].filter(rect => rect !== undefined);
			expectTiled(panes, {x: 0, y: 1, width: size.columns, height: size.rows - 2});
			for (const rect of panes) {
				expect(rect.y).toBeGreaterThanOrEqual(1);
				expect(rect.x + rect.width).toBeLessThanOrEqual(size.columns);
				expect(rect.y + rect.height).toBeLessThanOrEqual(size.rows - 1);
				expect(rect.height).toBeGreaterThanOrEqual(5);
			}
			if (size.columns >= 100) expect(table && detail).toBeDefined();
		}),
	);
});

test.each([
	[200, 50, 'beside'],
	[100, 30, 'beside'],
	[80, 24, 'under'],
	[80, 18, 'alone'],
	[40, 12, 'alone'],
])('%i x %i: the detail is %s', (columns, rows, how) => {
	const {table, detail} = computersLayout({columns, rows}, 'table');
	expect(table && !detail ? 'alone' : detail?.x === 0 ? 'under' : 'beside').toBe(how);
});
