import type {Message} from '../domain/message.ts';
import type {Connection, Row} from './connection.ts';
import type {FoundMessage, SearchStep} from './database.ts';
import {fromJson} from './json.ts';
import {matchingKeys} from './matching-keys.ts';
import {indexSomeStale} from './search-index.ts';
import {matchQuery, searchText, snippetOf} from './searchable.ts';

/** Messages whose places are compared in one step, and those whose words are read: a body may be long. */
const placedAStep = 4000;
const toldAStep = 10;

/** The newest are known when all was walked, since the index knows no time. Then they are read, the newest first. */
export function* searchMessages(connection: Connection, words: string, limit: number): Generator<SearchStep> {
	const query = matchQuery(words);
	if (query === undefined) return;
	while (indexSomeStale(connection)) yield {added: 0, found: []};
	let newest: Row[] = [];
	for (const keys of matchingKeys(connection, query)) {
		yield {added: keys.length, found: []};
		for (let at = 0; at < keys.length; at += placedAStep) {
			const some = connection.all(newestOf, JSON.stringify(keys.slice(at, at + placedAStep)), limit);
			newest = [...newest, ...some].sort(newestFirst).slice(0, limit);
			yield {added: 0, found: []};
		}
	}
	for (let at = 0; at < newest.length; at += toldAStep) {
		const found = newest.slice(at, at + toldAStep).flatMap(row => told(connection, Number(row.key), words));
		yield {added: 0, found};
	}
}

const newestOf = `SELECT messages.key AS key, at, depth FROM json_each(?) AS found
	CROSS JOIN messages ON messages.key = found.value ORDER BY at DESC, depth DESC, messages.key DESC LIMIT ?`;

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
