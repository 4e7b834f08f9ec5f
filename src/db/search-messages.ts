import type {Message} from '../domain/messages/message.ts';
import type {Connection} from './connection.ts';
import type {FoundMessage, SearchedMessages} from './database.ts';
import {fromJson} from './json.ts';
import {countMatching} from './matching-keys.ts';
import {newestMatching} from './newest-matching.ts';
import {indexSomeStale} from './search-index.ts';
import {matchQuery, searchText, snippetOf} from './searchable.ts';

/** Counts all matches first; texts are read on demand, since a body may be long. */
export function searchMessages(connection: Connection, words: string, limit: number): SearchedMessages {
	const query = matchQuery(words);
	let newest: readonly number[] = [];

	function* steps(): Generator<number> {
		if (query === undefined) return;
		while (indexSomeStale(connection)) yield 0;
		let count = 0;
		for (const more of countMatching(connection, query)) {
			count += more;
			yield more;
		}
		const finding = newestMatching(connection, query, count, limit);
		let step = finding.next();
		for (; !step.done; step = finding.next()) yield 0;
		newest = step.value;
	}

	return {
		steps: {[Symbol.iterator]: steps},
		get listed() {
			return newest.length;
		},
		read: (from, to) => newest.slice(from, to).flatMap(key => readFound(connection, key, words)),
	};
}

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
	return [
		{sessionId: String(row.session_id), messageId: id, snippet, ...(createdAt !== undefined && {createdAt})},
	];
}
