import type {Connection, Row} from './connection.ts';
import type {FindStep} from './database.ts';
import {fromJson} from './json.ts';
import {listingOf} from './listings.ts';
import {indexSomeStale} from './search-index.ts';
import {matchQuery} from './searchable.ts';

/**
 * Messages that the first step looks at, and the longest: one to ten ms. Each step begins anew in the index, which costs
 * more the more words begin as the one that is looked for: hence they grow.
 */
export const stepLengths = {first: 2000, most: 8000};
/** Keys further apart than this are asked for apart. */
const keysTogether = 4000;

type Place = readonly [at: number, depth: number, key: number];
const beforeAll: Place = [Number.MIN_SAFE_INTEGER, 0, 0];
const afterAll: Place = [Number.MAX_SAFE_INTEGER, 0, 0];

/**
 * Walks a session backwards through display order, a stretch a step. Messages of one stretch were mostly kept one after
 * another, so that the index is asked for few ranges of keys; what else lies in them is left out by its place.
 */
export function* findMessages(
	connection: Connection,
	sessionId: string,
	words: string,
	from?: string,
): Generator<FindStep> {
	const query = matchQuery(words);
	if (query === undefined) return;
	while (indexSomeStale(connection)) yield {keys: [], newer: 0};
	const listing = listingOf(connection, sessionId);
	if (listing === undefined) return;
	const reader = (from !== undefined && placeOfId(connection, listing, from)) || afterAll;
	let end = afterAll;
	for (let length = stepLengths.first; end !== beforeAll; length = Math.min(length * 2, stepLengths.most)) {
		const start = stretchBefore(connection, listing, end, length);
		yield found(connection, {query, listing, start, end, reader});
		end = start;
	}
}

function placeOfId(connection: Connection, listing: number, id: string): Place | undefined {
	const row = connection.get('SELECT at, depth, key FROM messages WHERE listing = ? AND id = ?', listing, id);
	return row && placeOfRow(row);
}

function placeOfRow({at, depth, key}: Row): Place {
	return [Number(at), Number(depth), Number(key)];
}

/** The first place of the stretch of so many messages that ends before `end`. */
function stretchBefore(connection: Connection, listing: number, end: Place, length: number): Place {
	const row = connection.get(
		`SELECT at, depth, key FROM messages
		WHERE listing = ? AND (at, depth) <= (?, ?) AND (at, depth, key) < (?, ?, ?)
		ORDER BY at DESC, depth DESC, key DESC LIMIT 1 OFFSET ?`,
		listing,
		end[0],
		end[1],
		...end,
		length - 1,
	);
	return row ? placeOfRow(row) : beforeAll;
}

type Stretch = {
	readonly query: string;
	readonly listing: number;
	readonly start: Place;
	readonly end: Place;
	readonly reader: Place;
};

function found(connection: Connection, {query, listing, start, end, reader}: Stretch): FindStep {
	const row = connection.get(
		inStretch,
		...reader,
		listing,
		start[0],
		start[1],
		end[0],
		end[1],
		query,
		listing,
		...start,
		...end,
	);
	return {keys: fromJson<number[]>(row?.keys) ?? [], newer: Number(row?.newer)};
}

/** The bounds of the ranges are integers of the table itself: the index doesn't take a bound that comes as a float. */
const inStretch = `SELECT json_group_array(key) AS keys, total(newer) AS newer FROM (
	SELECT key, (at, depth, key) > (?, ?, ?) AS newer
	FROM (SELECT min(key) AS first, max(key) AS last FROM messages
		WHERE listing = ? AND (at, depth) BETWEEN (?, ?) AND (?, ?) GROUP BY key / ${keysTogether}) AS range
	CROSS JOIN message_words ON message_words.rowid BETWEEN first AND last
	CROSS JOIN messages ON key = message_words.rowid
	WHERE message_words MATCH ? AND listing = ? AND (at, depth, key) >= (?, ?, ?) AND (at, depth, key) < (?, ?, ?)
	ORDER BY at DESC, depth DESC, key DESC)`;
