/** A table of numbers that grows by rows, at eight bytes per cell. Cells start as unknown. */
export type NumberGrid = {
	get(row: number, column: number): number | undefined;
	set(row: number, column: number, value: number): void;
	/** Adds to a cell; an unknown cell counts as zero. */
	add(row: number, column: number, value: number): void;
};

/** Rows per block. Growing never copies existing blocks, and blocks are allocated on demand. */
const blockRows = 256;

export function createNumberGrid(columns: number): NumberGrid {
	const blocks: Float64Array[] = [];
	const placeOf = (row: number, column: number) => (row % blockRows) * columns + column;

	function blockOf(row: number): Float64Array {
		const index = Math.floor(row / blockRows);
		while (blocks.length <= index) blocks.push(new Float64Array(blockRows * columns).fill(Number.NaN));
		return blocks[index] as Float64Array;
	}

	function get(row: number, column: number): number | undefined {
		const value = blocks[Math.floor(row / blockRows)]?.[placeOf(row, column)];
		return value === undefined || Number.isNaN(value) ? undefined : value;
	}

	return {
		get,
		set(row, column, value) {
			blockOf(row)[placeOf(row, column)] = value;
		},
		add(row, column, value) {
			blockOf(row)[placeOf(row, column)] = (get(row, column) ?? 0) + value;
		},
	};
}
