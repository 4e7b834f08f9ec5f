import {expect} from 'vitest';

/** Columns at which a row has one of these characters. */
function columnsOf(row: readonly string[] | undefined, characters: string): number[] {
	return (row ?? []).flatMap((cell, column) => (cell !== '' && characters.includes(cell) ? [column] : []));
}

/** A border shared with the pane below, whose title may stand where a side ends. */
function isSeam(row: readonly string[] | undefined, left: number, right: number): boolean {
	const start = columnsOf(row, '├').findLast(at => at <= left && row?.[at + 1] === '─');
	return start !== undefined && columnsOf(row, '┤').some(at => at >= right);
}

/**
 * Fails unless every box is closed, or covered by one just as wide, and its sides are below its corners. Adjoining
 * boxes share a border, and one may be covered by the side of a box over them.
 */
export function expectStraightBorders(cells: readonly (readonly string[])[]): void {
	const picture = cells.map(row => row.join('')).join('\n');
	for (const [y, row] of cells.entries())
		for (const column of columnsOf(row, '╭├┬').filter(at => row[at + 1] === '─')) {
			const right = columnsOf(row, '╮┤┬').find(at => at > column) ?? -1;
			// The other end of a shared border may be covered.
			if (right < 0 && row[column] === '├') continue;
			const sides = (at: number) => [cells[at]?.[column], cells[at]?.[right]].join('');
			let below = y + 1;
			while (below < cells.length && /^[│┤][│├╭╰]$/.test(sides(below))) below++;
			if (!isSeam(cells[below], column, right)) expect(sides(below), picture).toMatch(/^[╰├┴╭][╯┤┴╮│╭╰]$/);
		}
}

/** A box over the panes: its sides are below its corners, down to its lower edge. */
export function expectBox(rows: readonly string[], title: string): void {
	const top = rows.findIndex(row => row.includes(`╭─ ${title}`));
	const left = rows[top]?.indexOf(`╭─ ${title}`) ?? -1;
	const right = rows[top]?.indexOf('╮', left) ?? -1;
	const bottom = rows.findIndex((row, index) => index > top && row[left] === '╰');
	expect(right).toBeGreaterThan(left);
	expect(bottom).toBeGreaterThan(top);
	for (const row of rows.slice(top + 1, bottom)) expect([row[left], row[right]]).toEqual(['│', '│']);
	expect(rows[bottom]?.[right]).toBe('╯');
}
