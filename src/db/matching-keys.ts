import type {Connection} from './connection.ts';

/**
 * Keys that one step looks at. Each begins anew in the index, which costs more the more often words occur that begin as
 * one that is looked for (2 ms a word that 100,000 messages hold); then counting costs half of telling which.
 */
const counted = 50_000;
const marked = 25_000;

/** How many messages match a query of the index, a range of keys a step. */
export function* countMatching(connection: Connection, query: string): Generator<number> {
	for (const [first, last] of ranges(newestKey(connection), counted))
		yield Number(connection.get(countIn, query, first, last)?.count);
}

/** Marks the messages that match by their keys, a range of them a step, and tells how many there were in each. */
export function* markMatching(
	connection: Connection,
	query: string,
	isMatching: Uint8Array,
): Generator<number> {
	for (const [first, last] of ranges(isMatching.length - 1, marked))
		yield markRange(connection, query, isMatching, first, last);
}

/** Marks those of a range of `marked` keys at most. */
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

/** Ranges of keys from the newest down. */
function* ranges(newest: number, length: number): Generator<readonly [first: number, last: number]> {
	for (let last = newest; last > 0; last -= length) yield [Math.max(1, last - length + 1), last];
}

/** Numbers are bound as floats, which the index takes for no bound. */
const inRange = 'message_words MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)';
const countIn = `SELECT count(*) AS count FROM message_words WHERE ${inRange}`;
/**
 * One character a key, since a row for each costs more than to find it, and numbers in JSON leave three times as much
 * behind. Characters below this one are not used: zero would end the text.
 */
const above = 32;
const keysIn = `SELECT group_concat(char(rowid - CAST(? AS INTEGER)), '') AS keys FROM message_words WHERE ${inRange}`;
