import {expect} from 'vitest';

/** Columns at which a row has a character. */
function columnsOf(row: readonly string[] | undefined, character: string): number[] {
	return (row ?? []).flatMap((cell, column) => (cell === character ? [column] : []));
}

/** Fails unless every box is closed, or covered by one just as wide, and its sides stand under its corners. */
export function expectStraightBorders(cells: readonly (readonly string[])[]): void {
	const picture = cells.map(row => row.join('')).join('\n');
	for (const [y, row] of cells.entries())
		for (const column of columnsOf(row, '╭')) {
			const right = columnsOf(row, '╮').find(at => at > column) ?? -1;
			const sides = (at: number) => [cells[at]?.[column], cells[at]?.[right]].join('');
			let below = y + 1;
			while (below < cells.length && sides(below) === '││') below++;
			expect(['╰╯', '╭╮'], picture).toContain(sides(below));
		}
}
