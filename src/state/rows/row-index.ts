import type {Column} from './column.ts';

type Direction = 'ascending' | 'descending';

/** The rows of a table. They are identified by their index in the data. */
export type RowKind<Data, Row> = {
	readonly columns: readonly Column<Row, never>[];
	readonly count: (data: Data) => number;
	readonly rowOf: (data: Data, index: number) => Row;
	/** The text that filters search. */
	readonly textOf: (row: Row) => string;
};

export type RowQuery = {
	/** The name of a column. */
	readonly order: string;
	readonly direction: Direction;
	/** Words that must all occur in a row's text, case-insensitively. */
	readonly words: string;
	/** A subset of the rows. For the same data, a name always means the same subset. */
	readonly group?: {readonly name: string; readonly has: (row: number) => boolean} | undefined;
};

type Cache = {
	/** The rows of each group, by its name; of all rows, by the empty name. */
	readonly groups: Map<string, readonly number[]>;
	/** Sorted rows, by group, order and direction. */
	readonly sorted: Map<string, readonly number[]>;
	texts?: readonly string[];
	last?: {readonly key: string; readonly rows: readonly number[]};
};

/**
 * Creates a cached row query for a table. Each group is evaluated once per data object, each sort order and direction
 * of it is computed once, texts are lower-cased once, and the last result is reused for an equal query, so moving
 * through a table costs nothing here.
 */
export function createRowIndex<Data extends object, Row>({
	columns,
	count,
	rowOf,
	textOf,
}: RowKind<Data, Row>): (data: Data, query: RowQuery) => readonly number[] {
	const caches = new WeakMap<Data, Cache>();
	return (data, {order, direction, words, group}) => {
		const cache: Cache = caches.get(data) ?? {sorted: new Map(), groups: new Map()};
		caches.set(data, cache);
		const groupKey = group?.name ?? '';
		const sortKey = JSON.stringify([groupKey, order, direction]);
		const key = `${sortKey} ${words}`;
		if (cache.last?.key === key) return cache.last.rows;
		const members =
			cache.groups.get(groupKey) ?? [...Array(count(data)).keys()].filter(row => group?.has(row) ?? true);
		cache.groups.set(groupKey, members);
		const column = columns.find(({name}) => name === order);
		const keyOf = (index: number) => column && keyIn(column, rowOf(data, index));
		const sorted = cache.sorted.get(sortKey) ?? sortedRows(members, keyOf, direction);
		cache.sorted.set(sortKey, sorted);
		const wanted = words.toLowerCase().split(' ').filter(Boolean);
		if (wanted.length > 0)
			cache.texts ??= Array.from({length: count(data)}, (_, row) => textOf(rowOf(data, row)).toLowerCase());
		const {texts} = cache;
		const isWanted = (row: number) => wanted.every(word => texts?.[row]?.includes(word));
		const rows = wanted.length > 0 ? sorted.filter(isWanted) : sorted;
		cache.last = {key, rows};
		return rows;
	};
}

function keyIn<Row>({sortKey, value}: Column<Row, never>, row: Row): number | string | undefined {
	const key = sortKey?.(row) ?? value(row);
	return typeof key === 'boolean' ? undefined : key;
}

/** Sorts rows by key; equal keys keep their order, unknown ones come last in either direction. */
function sortedRows(
	rows: readonly number[],
	keyOf: (row: number) => number | string | undefined,
	direction: Direction,
): readonly number[] {
	const keys = rows.map(keyOf);
	const isKnown = (at: number) => keys[at] !== undefined && !Number.isNaN(keys[at]);
	const sign = direction === 'ascending' ? 1 : -1;
	const places = [...keys.keys()];
	const known = places.filter(isKnown).sort((a, b) => {
		const [one, other] = [keys[a] as number, keys[b] as number];
		return one < other ? -sign : one > other ? sign : 0;
	});
	return [...known, ...places.filter(at => !isKnown(at))].map(at => rows[at] as number);
}
