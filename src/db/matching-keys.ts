import type {Connection} from './connection.ts';
import {fromJson} from './json.ts';

/**
 * Keys that the first step looks at, and the others: one to ten ms. Each step begins anew in the index, which costs more
 * the more often words occur that begin as one that is looked for. What more keys come in is no longer young for the
 * collector (128 kB), and stays.
 */
const firstLength = 4000;
export const stepLength = 12_000;

/** Keys of the messages whose words match a query of the index, the newest keys first: a range of them a step. */
export function* matchingKeys(connection: Connection, query: string): Generator<number[]> {
	let last = newestKey(connection);
	for (let length: number = firstLength; last > 0; length = stepLength) {
		yield fromJson<number[]>(connection.get(inRange, query, last - length + 1, last)?.keys) ?? [];
		last -= length;
	}
}

export function newestKey(connection: Connection): number {
	return Number(connection.get('SELECT max(key) AS key FROM messages')?.key ?? 0);
}

/** As JSON, since a row for each costs more than to find it. Numbers are bound as floats, which the index takes for no bound. */
const inRange = `SELECT json_group_array(rowid) AS keys FROM message_words
	WHERE message_words MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`;
