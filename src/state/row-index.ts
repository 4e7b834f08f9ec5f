type Direction = 'ascending' | 'descending';

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
	readonly sorted: Map<string, readonly number[]>;
	/** Membership of each row, by group name. */
	readonly groups: Map<string, readonly boolean[]>;
	texts?: readonly string[];
	last?: {readonly key: string; readonly rows: readonly number[]};
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
}: RowKind<Data, Order>): (data: Data, query: RowQuery<Order>) => readonly number[] {
	const caches = new WeakMap<Data, Cache>();
	return (data, {order, direction, words, group}) => {
		const cache: Cache = caches.get(data) ?? {sorted: new Map(), groups: new Map()};
		caches.set(data, cache);
		const orderKey = `${order} ${direction}`;
		const key = JSON.stringify([orderKey, words, group?.name]);
		if (cache.last?.key === key) return cache.last.rows;
		const sorted =
			cache.sorted.get(orderKey) ?? sortedRows(count(data), row => keyOf(data, row, order), direction);
		cache.sorted.set(orderKey, sorted);
		const wanted = words.toLowerCase().split(' ').filter(Boolean);
		if (wanted.length > 0)
			cache.texts ??= Array.from({length: count(data)}, (_, row) => textOf(data, row).toLowerCase());
		const members =
			group && (cache.groups.get(group.name) ?? Array.from(sorted.keys(), row => group.has(row)));
		if (group && members) cache.groups.set(group.name, members);
		const isWanted = (row: number) => {
			const text = cache.texts?.[row] ?? '';
			return (members?.[row] ?? true) && wanted.every(word => text.includes(word));
		};
		const rows = members || wanted.length > 0 ? sorted.filter(isWanted) : sorted;
		cache.last = {key, rows};
		return rows;
	};
}

/** Sorts the rows 0 to `count` - 1 by key; equal keys keep their order, unknown ones come last in either direction. */
function sortedRows(
	count: number,
	keyOf: (row: number) => number | string | undefined,
	direction: Direction,
): readonly number[] {
	const keys = Array.from({length: count}, (_, row) => keyOf(row));
	const isKnown = (row: number) => keys[row] !== undefined && !Number.isNaN(keys[row]);
	const sign = direction === 'ascending' ? 1 : -1;
	const rows = [...keys.keys()];
	const known = rows.filter(isKnown).sort((a, b) => {
		const [one, other] = [keys[a] as number, keys[b] as number];
		return one < other ? -sign : one > other ? sign : 0;
	});
	return [...known, ...rows.filter(row => !isKnown(row))];
}
