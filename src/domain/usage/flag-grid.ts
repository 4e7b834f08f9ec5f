/** A bit table that grows by rows, at one bit per cell. */
export type FlagGrid = {
	has(row: number, column: number): boolean;
	/** Sets a flag and returns whether it was previously unset. */
	raise(row: number, column: number): boolean;
};

export function createFlagGrid(columns: number): FlagGrid {
	const rowBytes = Math.ceil(columns / 8);
	let bytes = new Uint8Array(rowBytes * 256);
	const placeOf = (row: number, column: number) => row * rowBytes + (column >> 3);
	const has = (row: number, column: number) =>
		((bytes[placeOf(row, column)] ?? 0) & (1 << (column & 7))) !== 0;
	return {
		has,
		raise(row, column) {
			if (has(row, column)) return false;
			const place = placeOf(row, column);
			if (place >= bytes.length) {
				const larger = new Uint8Array(Math.max(bytes.length * 2, place + rowBytes));
				larger.set(bytes);
				bytes = larger;
			}
			bytes[place] = (bytes[place] ?? 0) | (1 << (column & 7));
			return true;
		},
	};
}
