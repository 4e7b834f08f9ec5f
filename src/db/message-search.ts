import type {Message} from '../domain/message.ts';
import type {Connection} from './connection.ts';
import type {Database} from './database.ts';
import {fromJson} from './json.ts';
import {listingOf} from './listings.ts';
import {indexText, matchQuery, searchText, snippetOf} from './searchable.ts';

/** Messages that one write brings up to date in the index, so that it stays short. */
const staleAtOnce = 4;

/** Takes in a new message: inside a write only. */
export function indexMessage(connection: Connection, key: number, text: string): void {
	if (text) connection.run('INSERT INTO message_words (rowid, text) VALUES (?, ?)', key, indexText(text));
}

export function unindexMessage(connection: Connection, key: number): void {
	connection.run('DELETE FROM message_words WHERE rowid = ?', key);
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

export function searchMessages(
	connection: Connection,
	words: string,
	limit: number,
): ReturnType<Database['messages']['search']> {
	const query = matchQuery(words);
	if (query === undefined) return [];
	indexAllStale(connection);
	const rows = connection.all(
		`SELECT listings.session_id, messages.id, messages.body
		FROM (SELECT key FROM messages WHERE key IN (SELECT rowid FROM message_words WHERE message_words MATCH ?)
			ORDER BY at DESC, depth DESC, key DESC LIMIT ?) AS found
		JOIN messages USING (key) JOIN listings ON listings.key = messages.listing
		ORDER BY messages.at DESC, messages.depth DESC, messages.key DESC`,
		query,
		limit,
	);
	return rows.flatMap(row => {
		const message = fromJson<Message>(row.body);
		if (!message) return [];
		return {
			sessionId: String(row.session_id),
			messageId: message.id,
			snippet: snippetOf(searchText(message), words),
			...(message.createdAt === undefined ? {} : {createdAt: message.createdAt}),
		};
	});
}

export function findMessages(
	connection: Connection,
	sessionId: string,
	words: string,
	limit: number,
): ReturnType<Database['messages']['find']> {
	const query = matchQuery(words);
	const listing = listingOf(connection, sessionId);
	if (query === undefined || listing === undefined) return [];
	indexAllStale(connection);
	return connection
		.all(
			`SELECT id FROM messages
			WHERE listing = ? AND key IN (SELECT rowid FROM message_words WHERE message_words MATCH ?)
			ORDER BY at DESC, depth DESC, key DESC LIMIT ?`,
			listing,
			query,
			limit,
		)
		.map(({id}) => String(id))
		.reverse();
}

/** A file that can't be written is searched as it was indexed last. */
function indexAllStale(connection: Connection): void {
	const stale = 'SELECT key, body FROM messages WHERE is_stale = 1';
	if (!connection.get(`${stale} LIMIT 1`)) return;
	try {
		connection.write('normal', () => {
			for (const {key, body} of connection.all(stale)) indexAgain(connection, Number(key), body as string);
		});
	} catch {}
}

function indexAgain(connection: Connection, key: number, body: string): void {
	unindexMessage(connection, key);
	const message = fromJson<Message>(body);
	if (message) indexMessage(connection, key, searchText(message));
	connection.run('UPDATE messages SET is_stale = 0 WHERE key = ?', key);
}
