import {type Direction, sortedIndex} from '../domain/usage/sorted-index.ts';

/** Accessors for the rows of a table. Rows are identified by their index in the data. */
export type RowKind<Data, Order extends string> = {
	readonly count: (data: Data) => number;
	readonly keyOf: (data: Data, row: number, order: Order) => number | string | undefined;
	/** The text that filters search. */
	readonly textOf: (data: Data, row: number) => string;
};

/** Which rows to return, and in which order. */
export type RowQuery<Order extends string> = {
	readonly order: Order;
	readonly direction: Direction;
	/** Words that must all occur in a row's text, case-insensitively. */
	readonly words: string;
	/** A subset of the rows. For the same data, a name always means the same subset. */
	readonly group?: {readonly name: string; readonly has: (row: number) => boolean};
};

type Cache = {
	/** Sorted rows, by order and direction. */
	readonly sorted: Map<string, Uint32Array>;
	/** Membership of each row, by group name. */
	readonly groups: Map<string, Uint8Array>;
	texts?: readonly string[];
	last?: {readonly key: string; readonly rows: Uint32Array};
};

/**
 * Creates a cached row query for a table. Each sort order and direction is computed once per data object,
 * each group is evaluated once per row, texts are lower-cased once, and the last result is reused for an
 * equal query, so moving through a table costs nothing here.
 */
export function createRowIndex<Data extends object, Order extends string>({
	count,
	keyOf,
	textOf,
}: RowKind<Data, Order>): (data: Data, query: RowQuery<Order>) => Uint32Array {
	const caches = new WeakMap<Data, Cache>();
	return (data, {order, direction, words, group}) => {
		const cache: Cache = caches.get(data) ?? {sorted: new Map(), groups: new Map()};
		caches.set(data, cache);
		const orderKey = `${order} ${direction}`;
		const key = JSON.stringify([orderKey, words, group?.name]);
		if (cache.last?.key === key) return cache.last.rows;
		const sorted =
			cache.sorted.get(orderKey) ?? sortedIndex(count(data), row => keyOf(data, row, order), direction);
		cache.sorted.set(orderKey, sorted);
		const wanted = words.toLowerCase().split(' ').filter(Boolean);
		if (wanted.length > 0)
			cache.texts ??= Array.from({length: count(data)}, (_, row) => textOf(data, row).toLowerCase());
		const members =
			group &&
			(cache.groups.get(group.name) ?? Uint8Array.from(sorted.keys(), row => Number(group.has(row))));
		if (group && members) cache.groups.set(group.name, members);
		const rows = filtered(
			sorted,
			row =>
				(members === undefined || members[row] === 1) &&
				(wanted.length === 0 || containsAll(cache.texts?.[row] ?? '', wanted)),
		);
		cache.last = {key, rows};
		return rows;
	};
}

function containsAll(text: string, words: readonly string[]): boolean {
	for (const word of words) if (!text.includes(word)) return false;
	return true;
}

/** Filters in one pass that allocates only the result, so that filtering fits in a frame. */
function filtered(rows: Uint32Array, isWanted: (row: number) => boolean): Uint32Array {
	const wanted = new Uint32Array(rows.length);
	let count = 0;
	for (let index = 0; index < rows.length; index++) {
		const row = rows[index] as number;
		if (isWanted(row)) wanted[count++] = row;
	}
	return count === rows.length ? rows : wanted.slice(0, count);
}
