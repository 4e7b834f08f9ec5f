import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createCountTable} from '../../../../src/domain/usage/count-table.ts';

test('counts are those of a map, however many there are', () => {
	const cell = fc.tuple(fc.integer({min: 0, max: 3000}), fc.integer({min: 0, max: 40}));
	fc.assert(
		fc.property(fc.array(cell, {size: '+2'}), cells => {
			const table = createCountTable();
			const counts = new Map<string, number>();
			for (const [row, column] of cells) {
				table.raise(row, column);
				counts.set(`${row} ${column}`, (counts.get(`${row} ${column}`) ?? 0) + 1);
			}
			for (const [row, column] of cells) expect(table.get(row, column)).toBe(counts.get(`${row} ${column}`));
			expect(table.get(3001, 0)).toBe(0);
		}),
	);
});

test('it grows beyond its first cells and loses nothing', () => {
	const table = createCountTable();
	const rows = 20_000;
	const columns = 9;
	for (let time = 0; time < 2; time++)
		for (let row = 0; row < rows; row++)
			for (let column = 0; column < columns; column++) if ((row + column) % 3 > 0) table.raise(row, column);
	let wrong = 0;
	for (let row = 0; row < rows; row++)
		for (let column = 0; column < columns; column++)
			if (table.get(row, column) !== ((row + column) % 3 > 0 ? 2 : 0)) wrong++;
	expect(wrong).toBe(0);
});
