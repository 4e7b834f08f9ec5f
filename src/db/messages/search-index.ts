import type {Message} from '../../domain/messages/message.ts';
import {type Connection, fromJson} from '../file/connection.ts';
import {indexText, searchText} from './searchable.ts';

/** Messages reindexed per write or search step, so that each stays short. */
const stalePerStep = 4;

/** Indexes a new message. Call only inside a write. */
export function indexMessage(connection: Connection, key: number, text: string): void {
	if (text) connection.run('INSERT INTO message_words (rowid, text) VALUES (?, ?)', key, indexText(text));
}

function unindexMessage(connection: Connection, key: number): void {
	connection.run('DELETE FROM message_words WHERE rowid = ?', key);
}

/**
 * Removes many messages (a JSON array of keys) from the index without sqlite's automatic merge, which can
 * take half a second after so many deletions; `mergeSome` merges in small steps. Call only inside a write,
 * whose rollback also restores the merge setting.
 */
export function unindexMessages(connection: Connection, keys: string): void {
	setMerging(connection, 0n);
	connection.run('DELETE FROM message_words WHERE rowid IN (SELECT value FROM json_each(?))', keys);
	connection.run("INSERT INTO message_words (message_words) VALUES ('flush')");
	setMerging(connection, defaultMerging);
}

/** Merges about `pages` pages of the index, dropping words of removed messages. Call only inside a write. */
export function mergeSome(connection: Connection, pages: number): void {
	connection.run("INSERT INTO message_words (message_words, rank) VALUES ('merge', ?)", BigInt(pages));
}

/** sqlite's default number of segments that triggers an automatic merge; 0 means never. */
const defaultMerging = 4n;

function setMerging(connection: Connection, segments: bigint): void {
	connection.run("INSERT INTO message_words (message_words, rank) VALUES ('automerge', ?)", segments);
}

/**
 * A streaming message changes with every poll, and reindexing it each time would cost more than storing it.
 * It is reindexed when a later write leaves it unchanged, or by the next search.
 */
export function indexStale(connection: Connection, listing: number, changing: ReadonlySet<string>): void {
	const rows = connection.all(
		'SELECT key, id, body FROM messages WHERE listing = ? AND is_stale = 1',
		listing,
	);
	for (const row of rows.filter(({id}) => !changing.has(String(id))).slice(0, stalePerStep)) {
		reindex(connection, Number(row.key), row.body as string);
	}
}

/** Reindexes some stale messages; false when none are left. A read-only file is searched as last indexed. */
export function indexSomeStale(connection: Connection): boolean {
	const rows = connection.all('SELECT key, body FROM messages WHERE is_stale = 1 LIMIT ?', stalePerStep);
	if (rows.length === 0) return false;
	try {
		connection.write('normal', () => {
			for (const {key, body} of rows) reindex(connection, Number(key), body as string);
		});
		return true;
	} catch {
		return false;
	}
}

function reindex(connection: Connection, key: number, body: string): void {
	unindexMessage(connection, key);
	const message = fromJson<Message>(body);
	if (message) indexMessage(connection, key, searchText(message));
	connection.run('UPDATE messages SET is_stale = 0 WHERE key = ?', key);
}

/**
 * Keys per step. Each step restarts the index query, at a cost that grows with the frequency of words that
 * start with a search term: 2 ms per word found in 100,000 messages. Larger steps hold up the next key for longer.
 */
const keysPerStep = 12_000;

export function newestKey(connection: Connection): number {
	return Number(connection.get('SELECT max(key) AS key FROM messages')?.key ?? 0);
}

/** Yields the keys of the messages that match an index query, one range of keys per step, newest range first. */
export function* matchingKeys(connection: Connection, query: string): Generator<readonly number[]> {
	for (let last = newestKey(connection); last > 0; last -= keysPerStep)
		yield keysOf(connection.get(keysIn, query, Math.max(1, last - keysPerStep + 1), last)?.keys);
}

/** Numbers are bound as floats, which the index doesn't accept as bounds. */
const keysIn = `SELECT group_concat(rowid) AS keys FROM message_words
	WHERE message_words MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`;

/** Keys that sqlite joined with commas. */
export function keysOf(joined: unknown): readonly number[] {
	return typeof joined === 'string' ? joined.split(',').map(Number) : [];
}
