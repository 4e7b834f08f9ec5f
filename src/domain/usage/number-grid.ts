/** A table of numbers that grows by rows and costs eight bytes a cell (four when `isCompact`). Cells begin unknown. */
export type NumberGrid = {
	get(row: number, column: number): number | undefined;
	set(row: number, column: number, value: number): void;
};

export function createNumberGrid(columns: number, {isCompact = false} = {}): NumberGrid {
	const make = (rows: number) => {
		const length = Math.max(1, rows * columns);
		return isCompact ? new Float32Array(length).fill(Number.NaN) : new Float64Array(length).fill(Number.NaN);
	};
	let rows = 16;
	let cells = make(rows);
	return {
		get(row, column) {
			const value = row < rows ? cells[row * columns + column] : undefined;
			return value === undefined || Number.isNaN(value) ? undefined : value;
		},
		set(row, column, value) {
			if (row >= rows) {
				rows = Math.max(rows * 2, row + 1);
				const larger = make(rows);
				larger.set(cells);
				cells = larger;
			}
			cells[row * columns + column] = value;
		},
	};
}
