import type {Message} from '../domain/message.ts';
import type {Connection, Row} from './connection.ts';
import type {FoundMessage, SearchStep} from './database.ts';
import {stepLengths} from './find-messages.ts';
import {fromJson} from './json.ts';
import {indexSomeStale} from './search-index.ts';
import {matchQuery, searchText, snippetOf} from './searchable.ts';

/** Messages whose words are read in one step: a body may be long. */
const toldAStep = 10;

/**
 * Walks the index by the order in which messages were kept, which is not that of display: the newest are known when all
 * was walked. Then they are read, the newest first.
 */
export function* searchMessages(connection: Connection, words: string, limit: number): Generator<SearchStep> {
	const query = matchQuery(words);
	if (query === undefined) return;
	while (indexSomeStale(connection)) yield {added: 0, found: []};
	let newest: Row[] = [];
	let last = Number(connection.get('SELECT max(key) AS key FROM messages')?.key ?? 0);
	for (let length = stepLengths.first; last > 0; length = Math.min(length * 2, stepLengths.most)) {
		const range = [query, last - length + 1, last] as const;
		last -= length;
		const added = Number(connection.get(count, ...range)?.count);
		if (added > 0)
			newest = [...newest, ...connection.all(places, ...range, limit)].sort(newestFirst).slice(0, limit);
		yield {added, found: []};
	}
	for (let at = 0; at < newest.length; at += toldAStep) {
		const found = newest.slice(at, at + toldAStep).flatMap(row => told(connection, Number(row.key), words));
		yield {added: 0, found};
	}
}

/** Numbers are bound as floats, and the index doesn't take a bound that comes as one. */
const range =
	'message_words MATCH ? AND message_words.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)';
const count = `SELECT count(*) AS count FROM message_words WHERE ${range}`;
const places = `SELECT key, at, depth FROM message_words CROSS JOIN messages ON key = message_words.rowid
	WHERE ${range} ORDER BY at DESC, depth DESC, key DESC LIMIT ?`;

/** Nothing, when it was forgotten meanwhile. */
function told(connection: Connection, key: number, words: string): FoundMessage[] {
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

function newestFirst(a: Row, b: Row): number {
	return Number(b.at) - Number(a.at) || Number(b.depth) - Number(a.depth) || Number(b.key) - Number(a.key);
}
