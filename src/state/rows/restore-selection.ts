/**
 * The selected row after a data change: the same row if it still exists, otherwise the nearest surviving
 * neighbor, preferring those below. Undefined if there is none.
 */
export function restoreSelection<Row>(
	before: readonly Row[],
	index: number,
	exists: (row: Row) => boolean,
): Row | undefined {
	for (let away = 0; away <= before.length; away++) {
		for (const at of away === 0 ? [index] : [index + away, index - away]) {
			const row = before[at];
			if (row !== undefined && exists(row)) return row;
		}
	}
	return undefined;
}
