import type {Message} from '../domain/message.ts';
import type {Connection} from './connection.ts';
import {fromJson} from './json.ts';
import {indexText, searchText} from './searchable.ts';

/** Messages that one write, or one step of a search, brings up to date in the index, so that it stays short. */
const staleAtOnce = 4;

/** Takes in a new message: inside a write only. */
export function indexMessage(connection: Connection, key: number, text: string): void {
	if (text) connection.run('INSERT INTO message_words (rowid, text) VALUES (?, ?)', key, indexText(text));
}

export function unindexMessage(connection: Connection, key: number): void {
	connection.run('DELETE FROM message_words WHERE rowid = ?', key);
}

/**
 * The same for many (a JSON list of keys), without the merging that sqlite does by itself after so many deletions: that
 * can take half a second. `mergeSome` does it in small steps. Inside a write only, which puts all of it back if it fails.
 */
export function unindexMessages(connection: Connection, keys: string): void {
	setMerging(connection, 0n);
	connection.run('DELETE FROM message_words WHERE rowid IN (SELECT value FROM json_each(?))', keys);
	connection.run("INSERT INTO message_words (message_words) VALUES ('flush')");
	setMerging(connection, defaultMerging);
}

/** Merges about so many pages of the index, in which words of removed messages are dropped: inside a write only. */
export function mergeSome(connection: Connection, pages: number): void {
	connection.run("INSERT INTO message_words (message_words, rank) VALUES ('merge', ?)", BigInt(pages));
}

/** Segments that sqlite merges by itself, its own default; 0 for never. */
const defaultMerging = 4n;

function setMerging(connection: Connection, segments: bigint): void {
	connection.run("INSERT INTO message_words (message_words, rank) VALUES ('automerge', ?)", segments);
}

/**
 * A message that is streamed in changes with every poll, and taking its words out and in again each time would cost
 * more than keeping it: it is indexed again when a later write leaves it alone, or when someone searches.
 */
export function indexStale(connection: Connection, listing: number, changing: ReadonlySet<string>): void {
	const rows = connection.all(
		'SELECT key, id, body FROM messages WHERE listing = ? AND is_stale = 1',
		listing,
	);
	for (const row of rows.filter(({id}) => !changing.has(String(id))).slice(0, staleAtOnce)) {
		indexAgain(connection, Number(row.key), row.body as string);
	}
}

/** Brings some stale messages up to date; false when none is left. A file that can't be written is searched as it was indexed last. */
export function indexSomeStale(connection: Connection): boolean {
	const rows = connection.all('SELECT key, body FROM messages WHERE is_stale = 1 LIMIT ?', staleAtOnce);
	if (rows.length === 0) return false;
	try {
		connection.write('normal', () => {
			for (const {key, body} of rows) indexAgain(connection, Number(key), body as string);
		});
		return true;
	} catch {
		return false;
	}
}

function indexAgain(connection: Connection, key: number, body: string): void {
	unindexMessage(connection, key);
	const message = fromJson<Message>(body);
	if (message) indexMessage(connection, key, searchText(message));
	connection.run('UPDATE messages SET is_stale = 0 WHERE key = ?', key);
}
