import type {Connection} from '../file/connection.ts';
import {fromJson} from '../file/json.ts';

/**
 * Keys per step. Each step restarts the index query, at a cost that grows with the frequency of words that
 * start with a search term: 2 ms per word found in 100,000 messages. Arrays beyond 128 kB, 16,000 keys, are
 * freed by full collections only: with 25,000, a search left 45 MB more behind for a while.
 */
const keysPerStep = 12_000;

export function newestKey(connection: Connection): number {
	return Number(connection.get('SELECT max(key) AS key FROM messages')?.key ?? 0);
}

/** A flag for every message key, all unset. */
export function createKeyFlags(connection: Connection): Uint8Array {
	return new Uint8Array(newestKey(connection) + 1);
}

/** Yields the keys of the messages that match an index query, one range of keys per step, newest first. */
export function* matchingKeys(connection: Connection, query: string): Generator<readonly number[]> {
	for (let last = newestKey(connection); last > 0; last -= keysPerStep)
		yield fromJson<number[]>(
			connection.get(keysIn, query, Math.max(1, last - keysPerStep + 1), last)?.keys,
		) ?? [];
}

/** Numbers are bound as floats, which the index doesn't accept as bounds. */
const keysIn = `SELECT json_group_array(rowid) AS keys FROM message_words
	WHERE message_words MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`;
