import type {Message} from '../../domain/messages/message.ts';
import type {FindOptions, FoundMessages} from '../database.ts';
import {type Connection, fromJson, type Row} from '../file/connection.ts';
import {listingOf} from './listings.ts';
import {
	afterAll,
	type FullPosition,
	isNewer,
	type MessageWatch,
	positionOfKey,
	type WrittenMessages,
} from './message-watch.ts';
import {indexSomeStale, keysOf, matchingKeys, newestKey} from './search-index.ts';
import {indexText, matchQuery, wholeText} from './searchable.ts';

/** With more messages than this, even the first steps take longer than a frame. */
const maxQuick = 20_000;

/** The reader's position. It stays even if the message there is removed. */
type Cursor = {readonly position: FullPosition; readonly id?: string};

/** Messages written since the search began keep their old position in the list until `update`. */
export function findMessages(
	connection: Connection,
	watch: MessageWatch,
	sessionId: string,
	words: string,
	{from, onWritten}: FindOptions = {},
): FoundMessages {
	const query = matchQuery(words);
	/** Newest first. */
	let found: number[] = [];
	const written: WrittenMessages = new Map();
	let cursor = cursorAt(connection, sessionId, from);
	let isSearched = false;

	const onChanges = (changes: WrittenMessages | 'all') => {
		if (changes === 'all') {
			found = [];
			written.clear();
		} else for (const [key, before] of changes) if (!written.has(key)) written.set(key, before);
		onWritten?.();
	};
	const stopListening = query === undefined ? () => {} : watch.listen(sessionId, onChanges);

	/** The message's position as the list knows it. */
	const positionInList = (key: number) => written.get(key) ?? positionOfKey(connection, key);

	/** Counts the found messages after a position by binary search; drops deleted ones on its way. */
	function countAfter(position: FullPosition): number {
		let low = 0;
		let high = found.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const middlePosition = positionInList(found[middle] as number);
			if (!middlePosition) {
				found.splice(middle, 1);
				high--;
			} else if (isNewer(middlePosition, position)) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	function update(): void {
		if (!isSearched || query === undefined || written.size === 0) return;
		// Not by position: another program may have moved them.
		found = found.filter(key => !written.has(key));
		const keys = [...written.keys()];
		written.clear();
		for (const key of matchingAmong(connection, query, keys)) {
			const position = positionOfKey(connection, key);
			if (position) found.splice(countAfter(position), 0, key);
		}
		const {id, position} = cursor;
		// Look up by id: a message that was removed and added again has a new key.
		if (id !== undefined) cursor = {id, position: positionOfId(connection, sessionId, id) ?? position};
	}

	function* steps(): Generator<void> {
		if (query === undefined) return;
		found = yield* searchSession(connection, sessionId, query);
		isSearched = true;
		update();
	}

	return {
		steps: {[Symbol.iterator]: steps},
		get isLong() {
			return newestKey(connection) > maxQuick;
		},
		get count() {
			return found.length;
		},
		get newer() {
			return countAfter(cursor.position);
		},
		get isAtCursor() {
			const key = found[countAfter(cursor.position)];
			return key !== undefined && key === cursor.position[2] && cursor.id === idOf(connection, key);
		},
		moveTo(number) {
			const key = found[number];
			const position = key === undefined ? undefined : positionInList(key);
			const id = key === undefined ? undefined : idOf(connection, key);
			if (id === undefined || !position) return undefined;
			cursor = {position, id};
			return id;
		},
		update,
		close: stopListening,
	};
}

function cursorAt(connection: Connection, sessionId: string, id: string | undefined): Cursor {
	const position = id === undefined ? undefined : positionOfId(connection, sessionId, id);
	return id !== undefined && position ? {position, id} : {position: afterAll};
}

/** Returns the keys of a session's matches, newest first. */
function* searchSession(connection: Connection, sessionId: string, query: string): Generator<void, number[]> {
	while (indexSomeStale(connection)) yield;
	const listing = listingOf(connection, sessionId);
	if (listing === undefined) return [];
	const matching = new Set<number>();
	for (const keys of matchingKeys(connection, query)) {
		for (const key of keys) matching.add(key);
		yield;
	}
	// The index has only the beginning and the end of a long message.
	for (const {key} of connection.all(longQuery, listing)) {
		for (const found of matchingAmong(connection, query, [Number(key)])) matching.add(found);
		yield;
	}
	if (matching.size === 0) return [];
	return keysOf(connection.get(newestFirstQuery, listing)?.keys).filter(key => matching.has(key));
}

const longQuery = `SELECT key FROM messages WHERE listing = ? AND octet_length(body) > 65536`;
const newestFirstQuery = `SELECT group_concat(key) AS keys FROM (
	SELECT key FROM messages WHERE listing = ? ORDER BY at DESC, rank DESC, key DESC)`;

function idOf(connection: Connection, key: number): string | undefined {
	return connection.get('SELECT id FROM messages WHERE key = ?', key)?.id as string | undefined;
}

function positionOfId(connection: Connection, sessionId: string, id: string): FullPosition | undefined {
	const row = connection.get(
		`SELECT at, rank, messages.key AS key FROM listings JOIN messages ON listing = listings.key
		WHERE session_id = ? AND id = ?`,
		sessionId,
		id,
	);
	return row && positionOfRow(row);
}

function positionOfRow({at, rank, key}: Row): FullPosition {
	return [Number(at), Number(rank), Number(key)];
}

/** The keys of those of these messages that match an index query as they are now. */
function matchingAmong(connection: Connection, query: string, keys: readonly number[]): number[] {
	const rows = connection.all(
		'SELECT messages.key AS key, body FROM json_each(?) AS changed CROSS JOIN messages ON messages.key = changed.value',
		JSON.stringify(keys),
	);
	const texts = rows.flatMap(({key, body}): [number, string][] => {
		const message = fromJson<Message>(body);
		return message ? [[Number(key), wholeText(message)]] : [];
	});
	return keysOfMatching(connection, query, texts);
}

/** Indexes of the texts that contain the words, as the search index would find them. */
export function matchingTexts(connection: Connection, words: string, texts: readonly string[]): number[] {
	const query = matchQuery(words);
	return query === undefined
		? []
		: keysOfMatching(
				connection,
				query,
				texts.map((text, index) => [index, text]),
			);
}

/**
 * Keys of the texts that match an index query, in order. They are copied into a small in-memory index with the tokenizer
 * of `message_words`, so the cost depends only on their number.
 */
function keysOfMatching(
	connection: Connection,
	query: string,
	texts: readonly (readonly [key: number, text: string])[],
): number[] {
	if (texts.length === 0) return [];
	connection.run(create);
	connection.run(insert, JSON.stringify(texts.map(([key, text]) => [key, indexText(text)])));
	const matching = connection.all(
		'SELECT rowid FROM temp.few_words WHERE few_words MATCH ? ORDER BY rowid',
		query,
	);
	connection.run("INSERT INTO temp.few_words (few_words) VALUES ('delete-all')");
	return matching.map(({rowid}) => Number(rowid));
}

const create = `CREATE VIRTUAL TABLE IF NOT EXISTS temp.few_words USING fts5 (
	text, content = '', tokenize = 'unicode61 remove_diacritics 2'
)`;
const insert =
	'INSERT INTO temp.few_words (rowid, text) SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true';
