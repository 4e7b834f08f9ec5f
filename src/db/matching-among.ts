import type {Message} from '../domain/messages/message.ts';
import type {Connection} from './connection.ts';
import {fromJson} from './json.ts';
import {indexText, searchText} from './searchable.ts';

/**
 * Returns which of these messages currently match an index query. They are copied into a small in-memory
 * index with the tokenizer of `message_words`, so the cost depends only on their number. Keys of deleted
 * messages never match.
 */
export function matchingAmong(connection: Connection, query: string, keys: readonly number[]): number[] {
	const rows = connection.all(
		'SELECT messages.key AS key, body FROM json_each(?) AS asked CROSS JOIN messages ON messages.key = asked.value',
		JSON.stringify(keys),
	);
	const texts = rows.flatMap(({key, body}) => {
		const message = fromJson<Message>(body);
		return message ? [[key, indexText(searchText(message))]] : [];
	});
	if (texts.length === 0) return [];
	connection.run(create);
	connection.run(insert, JSON.stringify(texts));
	const matching = connection.all('SELECT rowid FROM temp.few_words WHERE few_words MATCH ?', query);
	connection.run("INSERT INTO temp.few_words (few_words) VALUES ('delete-all')");
	return matching.map(({rowid}) => Number(rowid));
}

const create = `CREATE VIRTUAL TABLE IF NOT EXISTS temp.few_words USING fts5 (
	text, content = '', tokenize = 'unicode61 remove_diacritics 2'
)`;
const insert =
	'INSERT INTO temp.few_words (rowid, text) SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true';
