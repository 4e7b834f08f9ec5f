import type {Connection, Row} from './connection.ts';
import type {FindStep} from './database.ts';
import {fromJson} from './json.ts';
import {listingOf} from './listings.ts';
import {matchingKeys, newestKey, stepLength} from './matching-keys.ts';
import {indexSomeStale} from './search-index.ts';
import {matchQuery} from './searchable.ts';

type Place = readonly [at: number, depth: number, key: number];
const beforeAll: Place = [Number.MIN_SAFE_INTEGER, 0, 0];
const afterAll: Place = [Number.MAX_SAFE_INTEGER, 0, 0];

/**
 * The index knows keys, the order of display is that of places: so all keys that match are noted first, and then the
 * session is walked backwards, a stretch a step.
 */
export function* findMessages(
	connection: Connection,
	sessionId: string,
	words: string,
	from?: string,
): Generator<FindStep> {
	const query = matchQuery(words);
	if (query === undefined) return;
	while (indexSomeStale(connection)) yield nothing;
	const listing = listingOf(connection, sessionId);
	if (listing === undefined) return;
	const isFound = new Uint8Array(newestKey(connection) + 1);
	let count = 0;
	for (const keys of matchingKeys(connection, query)) {
		for (const key of keys) isFound[key] = 1;
		count += keys.length;
		yield nothing;
	}
	if (count === 0) return;
	const reader = (from !== undefined && placeOfId(connection, listing, from)) || afterAll;
	let end = afterAll;
	while (end !== beforeAll) {
		const start = startOfStretch(connection, listing, end);
		const {keys, newer} = stretch(connection, listing, start, end, reader);
		const found = keys.filter(key => isFound[key] === 1);
		yield {
			keys: found,
			newer: keys.reduce((sum, key, index) => sum + (index < newer ? (isFound[key] ?? 0) : 0), 0),
		};
		end = start;
	}
}

const nothing: FindStep = {keys: [], newer: 0};

function placeOfId(connection: Connection, listing: number, id: string): Place | undefined {
	const row = connection.get('SELECT at, depth, key FROM messages WHERE listing = ? AND id = ?', listing, id);
	return row && placeOfRow(row);
}

function placeOfRow({at, depth, key}: Row): Place {
	return [Number(at), Number(depth), Number(key)];
}

/** The first place of the stretch that ends before `end`. */
function startOfStretch(connection: Connection, listing: number, end: Place): Place {
	const row = connection.get(
		`SELECT at, depth, key FROM messages
		WHERE listing = ? AND (at, depth) <= (?, ?) AND (at, depth, key) < (?, ?, ?)
		ORDER BY at DESC, depth DESC, key DESC LIMIT 1 OFFSET ?`,
		listing,
		end[0],
		end[1],
		...end,
		stepLength - 1,
	);
	return row ? placeOfRow(row) : beforeAll;
}

/** Keys of a stretch, newest first, and how many of them stand after the reader. */
function stretch(
	connection: Connection,
	listing: number,
	start: Place,
	end: Place,
	reader: Place,
): {readonly keys: readonly number[]; readonly newer: number} {
	const row = connection.get(
		`SELECT json_group_array(key) AS keys, total(newer) AS newer FROM (
			SELECT key, (at, depth, key) > (?, ?, ?) AS newer FROM messages
			WHERE listing = ? AND (at, depth) BETWEEN (?, ?) AND (?, ?)
			AND (at, depth, key) >= (?, ?, ?) AND (at, depth, key) < (?, ?, ?)
			ORDER BY at DESC, depth DESC, key DESC)`,
		...reader,
		listing,
		start[0],
		start[1],
		end[0],
		end[1],
		...start,
		...end,
	);
	return {keys: fromJson<number[]>(row?.keys) ?? [], newer: Number(row?.newer)};
}
