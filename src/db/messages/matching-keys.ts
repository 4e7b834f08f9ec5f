import type {Connection} from '../file/connection.ts';

/**
 * Keys per step. Each step restarts the index query, at a cost that grows with the frequency of words that
 * start with a search term: 2 ms per word found in 100,000 messages. Larger steps hold up the next key for longer.
 */
const keysPerStep = 12_000;

export function newestKey(connection: Connection): number {
	return Number(connection.get('SELECT max(key) AS key FROM messages')?.key ?? 0);
}

/**
 * Visits the keys of the messages that match an index query, one range of keys per step, newest range first. Yields
 * the number of matches of each step.
 */
export function* matchingKeys(
	connection: Connection,
	query: string,
	visit: (key: number) => void,
): Generator<number> {
	for (let last = newestKey(connection); last > 0; last -= keysPerStep)
		yield visitKeys(connection.get(keysIn, query, Math.max(1, last - keysPerStep + 1), last)?.keys, visit);
}

/** Numbers are bound as floats, which the index doesn't accept as bounds. */
const keysIn = `SELECT group_concat(rowid) AS keys FROM message_words
	WHERE message_words MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`;

/**
 * Visits keys that sqlite joined with commas; returns their number. As arrays, they were a third of what a search left
 * in the old generation.
 */
export function visitKeys(joined: unknown, visit: (key: number) => void): number {
	if (typeof joined !== 'string') return 0;
	let count = 0;
	let key = 0;
	for (let index = 0; index <= joined.length; index++) {
		const digit = joined.charCodeAt(index) - 48;
		if (digit >= 0) key = key * 10 + digit;
		else {
			visit(key);
			count++;
			key = 0;
		}
	}
	return count;
}
