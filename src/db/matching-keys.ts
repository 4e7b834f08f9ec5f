import type {Connection} from './connection.ts';

/**
 * Keys per step. Each step restarts the index query, at a cost that grows with the frequency of words that
 * start with a search term (2 ms per word found in 100,000 messages). After that, counting matches costs half
 * as much as listing them.
 */
const counted = 50_000;
const marked = 25_000;

/** Counts the messages that match an index query, one range of keys per step; yields each range's count. */
export function* countMatching(connection: Connection, query: string): Generator<number> {
	for (const [first, last] of ranges(newestKey(connection), counted))
		yield Number(connection.get(countIn, query, first, last)?.count);
}

/** Sets `isMatching[key]` for each match, one range of keys per step; yields each range's count. */
export function* markMatching(
	connection: Connection,
	query: string,
	isMatching: Uint8Array,
): Generator<number> {
	for (const [first, last] of ranges(isMatching.length - 1, marked))
		yield markRange(connection, query, isMatching, first, last);
}

/** Marks the matches in one range of at most `marked` keys; returns their number. */
export function markRange(
	connection: Connection,
	query: string,
	isMatching: Uint8Array,
	first: number,
	last: number,
): number {
	const found = String(connection.get(keysIn, first - above, query, first, last)?.keys ?? '');
	for (let at = 0; at < found.length; at++) isMatching[found.charCodeAt(at) + first - above] = 1;
	return found.length;
}

export function newestKey(connection: Connection): number {
	return Number(connection.get('SELECT max(key) AS key FROM messages')?.key ?? 0);
}

/** Key ranges from the newest down. */
function* ranges(newest: number, length: number): Generator<readonly [first: number, last: number]> {
	for (let last = newest; last > 0; last -= length) yield [Math.max(1, last - length + 1), last];
}

/** Numbers are bound as floats, which the index doesn't accept as bounds. */
const inRange = 'message_words MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)';
const countIn = `SELECT count(*) AS count FROM message_words WHERE ${inRange}`;
/**
 * Encodes each key as one character: a row per key would cost more than the search, and JSON numbers leave
 * three times as much garbage. Characters start at this code, since a zero would end the text.
 */
const above = 32;
const keysIn = `SELECT group_concat(char(rowid - CAST(? AS INTEGER)), '') AS keys FROM message_words WHERE ${inRange}`;
