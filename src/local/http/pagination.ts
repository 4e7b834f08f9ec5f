import {badField} from './refusal.ts';

/** Maximum page size in bytes, by worst-case estimate: clients reject much longer bodies. */
const maxWeight = 6 * 1024 * 1024;

type Pagination = {readonly hasMore: boolean; readonly nextCursor: string};

/** Reads the page that a request asks for. */
export function readPage<T>(
	list: string,
	{limit, cursor}: {readonly limit: number; readonly cursor?: string | undefined},
	read: (after: number | undefined, count: number) => readonly T[],
	positionOf: (row: T) => number,
	weightOf?: (row: T) => number,
): Page<T> {
	const rows = read(decodeCursor(list, cursor), limit + 1);
	return cutPage(rows, limit, last => encodeCursor(list, positionOf(last)), weightOf);
}

type Page<T> = {readonly items: readonly T[]; readonly pagination: Pagination};

/**
 * Cuts a page out of rows that were read with one extra row. A page also ends when the sum of `weightOf`
 * reaches `maxWeight`, but has at least one item.
 */
export function cutPage<T>(
	rows: readonly T[],
	limit: number,
	cursorOf: (last: T) => string,
	weightOf: (row: T) => number = () => 0,
): Page<T> {
	let weight = 0;
	const firstBeyond = rows.findIndex((row, index) => {
		weight += weightOf(row);
		return index > 0 && weight > maxWeight;
	});
	const count = Math.min(limit, firstBeyond === -1 ? rows.length : firstBeyond);
	const items = rows.slice(0, count);
	const last = items.at(-1);
	const hasMore = rows.length > count;
	return {items, pagination: {hasMore, nextCursor: hasMore && last !== undefined ? cursorOf(last) : ''}};
}

/** Encodes a list's name and the position to continue from. Opaque to clients. */
export function encodeCursor(list: string, position: number): string {
	return Buffer.from(`${list} ${position}`).toString('base64url');
}

/** The position in a cursor of this list, if given. Throws `Refusal` 400 for any other cursor. */
export function decodeCursor(list: string, cursor: string | undefined): number | undefined {
	if (cursor === undefined) return undefined;
	const [name, position] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
	if (name !== list || position === undefined || !/^\d{1,15}$/.test(position))
		throw badField('cursor', 'is not a cursor of this list');
	return Number(position);
}
