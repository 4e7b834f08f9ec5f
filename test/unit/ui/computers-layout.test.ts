import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cleanLine} from '../../../src/text/cells/clean.ts';
import {lineWidth, span} from '../../../src/text/cells/line.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {computersLayout} from '../../../src/ui/computers/computers-now.ts';
import {fitTable, type TableColumn, tableHeading, tableRow} from '../../../src/ui/kit/columns.ts';
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

test('any columns fit the available width', () => {
	const column = fc.record({
		title: fc.string({maxLength: 12}).map(text => cleanLine(text)),
		width: fc.integer({min: 1, max: 20}),
		rank: fc.integer({min: 0, max: 9}),
		isNumber: fc.boolean(),
	});
	fc.assert(
		fc.property(
			fc.array(column, {minLength: 1, maxLength: 9}),
			fc.integer({min: 20, max: 200}),
			(made, width) => {
				const columns = made.map(
					(one, index): TableColumn<string> => ({
						...one,
						rank: index === 0 ? 0 : one.rank + 1,
						cell: text => [span(cleanLine(text))],
					}),
				);
				const fitted = fitTable(columns, width);
				const room = fitted.reduce((sum, {width: own}) => sum + own, 0) + 2 * (fitted.length - 1);
				expect(room).toBeLessThanOrEqual(Math.max(width, columns[0]?.width ?? 0));
				expect(lineWidth(tableHeading(fitted))).toBe(room);
				expect(lineWidth(tableRow(fitted, 'a cell that is longer than any of them'))).toBe(room);
			},
		),
	);
});

test('the growing column takes the remaining width, and the sorted column is never left out', () => {
	const cell = () => [span(safe`x`)];
	const columns: TableColumn<string>[] = [
		{title: safe`NAME`, width: 10, max: 30, rank: 0, cell},
		{title: safe`A`, width: 10, rank: 1, cell},
		{title: safe`LAST`, width: 4, rank: 9, order: 'down', cell},
	];
	expect(fitTable(columns, 60).map(({width}) => width)).toEqual([30, 10, 5]);
	expect(fitTable(columns, 30).map(({width}) => width)).toEqual([11, 10, 5]);
	expect(fitTable(columns, 20).map(({title}) => title)).toEqual(['NAME', 'LAST']);
});
