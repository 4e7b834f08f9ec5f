/** The value that a table is sorted by. Undefined: unknown, which comes last in either direction. */
export type SortKey = number | string | undefined;

/** How the user sorts a table, by the name of a column. */
export type TableOrder = {readonly order: string; readonly isReversed: boolean};

/** Compares texts by their UTF-16 units, for sorting. */
export const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Sorts rows by key; equal ones keep their order. */
export function sortRows<Row>(
	rows: readonly Row[],
	keyOf: (row: Row) => SortKey,
	isReversed: boolean,
): readonly Row[] {
	return rows
		.map((row, index) => ({row, index, key: keyOf(row)}))
		.sort((a, b) => compareKeys(a.key, b.key, isReversed) || a.index - b.index)
		.map(({row}) => row);
}

function compareKeys(a: SortKey, b: SortKey, isReversed: boolean): number {
	if (a === b) return 0;
	if (a === undefined) return 1;
	if (b === undefined) return -1;
	return (a < b ? -1 : 1) * (isReversed ? -1 : 1);
}

/** The key of a number that is sorted largest first. */
export function largestFirst(value: number | undefined): number | undefined {
	return value === undefined ? undefined : -value;
}

/** A key for natural sort order: `box-9` before `box-10`. Avoids Intl, whose first use adds 25-45 ms to startup. */
export function naturalKey(value: string | undefined): string | undefined {
	return value?.toLowerCase().replace(/\d+/g, digits => digits.padStart(12, '0')) || undefined;
}

/** Tests whether a text contains every word of a filter, in any case. */
export function wordMatcher(filter: string): (text: string) => boolean {
	const words = filter.toLowerCase().split(' ').filter(Boolean);
	return text => words.length === 0 || words.every(word => text.toLowerCase().includes(word));
}

/** Index of the cursor's row. If the row is gone, the row that took its place; `before` is its previous index. */
export function rowIndex(
	rows: readonly {readonly item: {readonly id: string}}[],
	id: string | undefined,
	before: number,
): number {
	const index = rows.findIndex(({item}) => item.id === id);
	return index >= 0 ? index : Math.max(0, Math.min(before, rows.length - 1));
}

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
