import {type Direction, sortedIndex} from '../domain/usage/sorted-index.ts';

/** How the rows of a table are told apart. Rows are named by their index in the data. */
export type RowKind<Data, Order extends string> = {
	readonly count: (data: Data) => number;
	readonly keyOf: (data: Data, row: number, order: Order) => number | string | undefined;
	/** What filters look into. */
	readonly textOf: (data: Data, row: number) => string;
};

/** Which rows are wanted, and in which order. */
export type RowQuery<Order extends string> = {
	readonly order: Order;
	readonly direction: Direction;
	/** All of them must be in a row's text, in any case. */
	readonly words: string;
	/** A part of the rows, by a name that stands for the same part of the same data. */
	readonly group?: {readonly name: string; readonly has: (row: number) => boolean};
};

type Known = {
	/** By order and direction. */
	readonly sorted: Map<string, Uint32Array>;
	texts?: readonly string[];
	last?: {readonly key: string; readonly rows: Uint32Array};
};

/**
 * Finds the rows of a table. An order is made once for each data and direction, texts are put in lower case once, and
 * the rows found last are there again as long as nothing is asked otherwise: moving through a table costs nothing here.
 */
export function createRowIndex<Data extends object, Order extends string>({
	count,
	keyOf,
	textOf,
}: RowKind<Data, Order>): (data: Data, query: RowQuery<Order>) => Uint32Array {
	const known = new WeakMap<Data, Known>();
	return (data, {order, direction, words, group}) => {
		const own: Known = known.get(data) ?? {sorted: new Map()};
		known.set(data, own);
		const orderKey = `${order} ${direction}`;
		const key = JSON.stringify([orderKey, words, group?.name]);
		if (own.last?.key === key) return own.last.rows;
		const sorted =
			own.sorted.get(orderKey) ?? sortedIndex(count(data), row => keyOf(data, row, order), direction);
		own.sorted.set(orderKey, sorted);
		const wanted = words.toLowerCase().split(' ').filter(Boolean);
		if (wanted.length > 0)
			own.texts ??= Array.from({length: count(data)}, (_, row) => textOf(data, row).toLowerCase());
		const {texts} = own;
		const rows = sorted.filter(
			row => (group?.has(row) ?? true) && wanted.every(word => texts?.[row]?.includes(word)),
		);
		own.last = {key, rows};
		return rows;
	};
}
