import type {Column} from './column.ts';
import {rememberEach} from './remember.ts';
import {naturalKey, type SortKey, sortRows, type TableOrder, wordMatcher} from './table-rows.ts';

/** The rows of a table. They are identified by their index in the data. */
type RowKind<Data, Row> = {
	readonly columns: readonly Column<Row, never>[];
	readonly count: (data: Data) => number;
	readonly rowOf: (data: Data, index: number) => Row;
	/** The text that filters search. */
	readonly textOf: (row: Row) => string;
};

type RowQuery = TableOrder & {
	/** Words that must all occur in a row's text, case-insensitively. */
	readonly words: string;
	/** A subset of the rows. For the same data, a name always means the same subset. */
	readonly group?: {readonly name: string; readonly has: (row: number) => boolean} | undefined;
};

/**
 * Creates a row query for a table. For each data object, each sort order and direction of a group is computed once, and
 * texts are lower-cased once, so that moving through a table of many thousands costs nothing here.
 */
export function createRowIndex<Data extends object, Row>({
	columns,
	count,
	rowOf,
	textOf,
}: RowKind<Data, Row>): (data: Data, query: RowQuery) => readonly number[] {
	const indexesOf = (data: Data) => [...Array(count(data)).keys()];
	/** Sorted rows, by group, order and direction. */
	const sortedOf = rememberEach((_: Data) => new Map<string, readonly number[]>());
	const textsOf = rememberEach((data: Data) =>
		indexesOf(data).map(row => textOf(rowOf(data, row)).toLowerCase()),
	);
	return (data, {order, isReversed, words, group}) => {
		const key = JSON.stringify([group?.name, order, isReversed]);
		const known = sortedOf(data).get(key);
		const column = columns.find(({name}) => name === order);
		const sorted =
			known ??
			sortRows(
				indexesOf(data).filter(row => group?.has(row) ?? true),
				row => column && keyIn(column, rowOf(data, row)),
				isReversed,
			);
		sortedOf(data).set(key, sorted);
		if (words.trim() === '') return sorted;
		const texts = textsOf(data);
		const isMatch = wordMatcher(words);
		return sorted.filter(row => isMatch(texts[row] ?? ''));
	};
}

function keyIn<Row>({sortKey, value}: Column<Row, never>, row: Row): SortKey {
	const key = sortKey ? sortKey(row) : value(row);
	return typeof key === 'number' ? key : naturalKey(key?.toString());
}
