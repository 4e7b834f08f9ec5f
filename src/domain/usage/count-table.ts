/**
 * Sparse counts by row and column. Each nonzero cell takes twelve bytes, with a similar amount of free space.
 * A Map takes five times as much, in a single block that is copied whenever it grows.
 */
export type CountTable = {
	/** Increments a cell. Rows and columns are integers from 0. */
	raise(row: number, column: number): void;
	/** Returns the count, zero by default. */
	get(row: number, column: number): number;
};

/** Numbers per cell: row, column, count. */
const fields = 3;
const firstCells = 1024;
/** Maximum number of cells counted: 80 MB. */
const maxCells = 4_000_000;
/** Maximum load factor: keeps lookups to one or two probes. */
const fullest = 0.75;

export function createCountTable(): CountTable {
	let cells = new Int32Array(firstCells * fields);
	let used = 0;

	/** Offset of a cell, or of the free slot where it would go. */
	function placeOf(table: Int32Array, row: number, column: number): number {
		const size = table.length / fields;
		const mixed = Math.imul(row ^ Math.imul(column, 0x85_eb_ca_6b), 0x9e_37_79_b1) >>> 0;
		for (let cell = (mixed ^ (mixed >>> 15)) & (size - 1); ; cell = (cell + 1) & (size - 1)) {
			const place = cell * fields;
			if (table[place + 2] === 0 || (table[place] === row && table[place + 1] === column)) return place;
		}
	}

	function grow(): void {
		const larger = new Int32Array(cells.length * 2);
		for (let place = 0; place < cells.length; place += fields)
			if (cells[place + 2] !== 0)
				larger.set(
					cells.subarray(place, place + fields),
					placeOf(larger, cells[place] as number, cells[place + 1] as number),
				);
		cells = larger;
	}

	return {
		raise(row, column) {
			const place = placeOf(cells, row, column);
			const count = cells[place + 2] as number;
			if (count > 0) {
				cells[place + 2] = count + 1;
				return;
			}
			if (used >= maxCells) return;
			cells.set([row, column, 1], place);
			used++;
			if (used > (cells.length / fields) * fullest) grow();
		},
		get: (row, column) => cells[placeOf(cells, row, column) + 2] as number,
	};
}
