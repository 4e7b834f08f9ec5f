import type {Message} from '../../domain/messages/message.ts';
import type {FoundMessage, SearchedMessages} from '../database.ts';
import {type Connection, fromJson} from '../file/connection.ts';
import {afterAll, type FullPosition, positionOfKey} from './message-watch.ts';
import {indexSomeStale, matchingKeys} from './search-index.ts';
import {matchQuery, searchText, snippetOf} from './searchable.ts';

/** Finds and counts all matches first; texts are read on demand, since a body may be long. */
export function searchMessages(connection: Connection, words: string, limit: number): SearchedMessages {
	const query = matchQuery(words);
	let newest: readonly number[] = [];

	function* steps(): Generator<number> {
		if (query === undefined) return;
		while (indexSomeStale(connection)) yield 0;
		const matching = new Set<number>();
		for (const keys of matchingKeys(connection, query)) {
			for (const key of keys) matching.add(key);
			yield keys.length;
		}
		if (matching.size <= maxSorted)
			newest = connection.all(newestQuery, JSON.stringify([...matching]), limit).map(({key}) => Number(key));
		else
			for (const keys of walk(connection, matching, limit)) {
				newest = keys;
				yield 0;
			}
	}

	return {
		steps: {[Symbol.iterator]: steps},
		get listed() {
			return newest.length;
		},
		read: (from, to) => newest.slice(from, to).flatMap(key => readFound(connection, key, words)),
	};
}

/** Up to this many matches are sorted by time; with more, a walk from the newest message soon meets enough. */
const maxSorted = 4000;
const messagesPerStep = 1000;

const newestQuery = `SELECT messages.key AS key FROM json_each(?) AS found
	CROSS JOIN messages ON messages.key = found.value ORDER BY at DESC, rank DESC, messages.key DESC LIMIT ?`;

/** Finds the newest matches by walking back from the newest message; yields those found so far after each step. */
function* walk(connection: Connection, matching: Set<number>, limit: number): Generator<readonly number[]> {
	const newest: number[] = [];
	let position: FullPosition | undefined = afterAll;
	while (position && newest.length < limit) {
		const keys = keysBefore(connection, position);
		for (const key of keys) {
			// Once only: a message may be moved to where the walk has yet to go.
			if (newest.length < limit && matching.delete(key)) newest.push(key);
		}
		yield newest;
		const last = keys.at(-1);
		position = last === undefined ? undefined : positionOfKey(connection, last);
	}
}

function keysBefore(connection: Connection, [at, rank, key]: FullPosition): readonly number[] {
	return fromJson<number[]>(connection.get(beforeQuery, at, rank, at, rank, key)?.keys) ?? [];
}

/** sqlite uses one index for both comparisons only with the redundant shorter one present. */
const beforeQuery = `SELECT json_group_array(key) AS keys FROM (
	SELECT key FROM messages WHERE (at, rank) <= (?, ?) AND (at, rank, key) < (?, ?, ?)
	ORDER BY at DESC, rank DESC, key DESC LIMIT ${messagesPerStep})`;

/** Empty if the message was deleted in the meantime. */
function readFound(connection: Connection, key: number, words: string): FoundMessage[] {
	const row = connection.get(
		'SELECT session_id, body FROM messages JOIN listings ON listings.key = listing WHERE messages.key = ?',
		key,
	);
	const message = row && fromJson<Message>(row.body);
	if (!message) return [];
	const {id, createdAt} = message;
	const snippet = snippetOf(searchText(message), words);
	return [{sessionId: String(row.session_id), messageId: id, snippet, createdAt}];
}
