import type {Connection} from './connection.ts';
import {freeBuffer} from './free-buffer.ts';
import {fromJson} from './json.ts';
import {markRange, newestKey} from './matching-keys.ts';
import {afterAll, type FullPosition, positionOfKey} from './message-position.ts';

/**
 * Up to this many matches are sorted by time; with more, a walk from the newest message soon meets enough.
 */
const few = 4000;
/** Messages per step of a walk, and keys per index query. */
const walked = 1000;
const asked = 16_384;

/**
 * Keys of the newest messages that match an index query with `count` matches, newest first. The index isn't
 * ordered by time: few matches are sorted, many are found by walking back from the newest message.
 */
export function* newestMatching(
	connection: Connection,
	query: string,
	count: number,
	limit: number,
): Generator<void, readonly number[]> {
	if (count > few) return yield* walk(connection, query, limit);
	const keys = connection.get(allOf, query)?.keys;
	return connection.all(newestOf, String(keys ?? '[]'), limit).map(({key}) => Number(key));
}

const allOf = 'SELECT json_group_array(rowid) AS keys FROM message_words WHERE message_words MATCH ?';
const newestOf = `SELECT messages.key AS key FROM json_each(?) AS found
	CROSS JOIN messages ON messages.key = found.value ORDER BY at DESC, depth DESC, messages.key DESC LIMIT ?`;

function* walk(connection: Connection, query: string, limit: number): Generator<void, readonly number[]> {
	const isMatching = new Uint8Array(newestKey(connection) + 1);
	const known = new Set<number>();
	const newest: number[] = [];
	let place: FullPosition | undefined = afterAll;
	try {
		while (place) {
			const keys: readonly number[] = fromJson<number[]>(connection.get(before, ...bound(place))?.keys) ?? [];
			const last = keys.at(-1);
			place = last === undefined ? undefined : positionOfKey(connection, last);
			for (const key of keys) {
				const range = Math.floor(key / asked);
				if (!known.has(range)) {
					known.add(range);
					markRange(connection, query, isMatching, range * asked, (range + 1) * asked - 1);
					yield;
				}
				if (isMatching[key] === 1 && newest.push(key) === limit) return newest;
			}
			yield;
		}
		return newest;
	} finally {
		freeBuffer(isMatching);
	}
}

/** sqlite uses one index for both comparisons only with the redundant shorter one present. */
const before = `SELECT json_group_array(key) AS keys FROM (
	SELECT key FROM messages WHERE (at, depth) <= (?, ?) AND (at, depth, key) < (?, ?, ?)
	ORDER BY at DESC, depth DESC, key DESC LIMIT ${walked})`;

function bound([at, depth, key]: FullPosition): readonly number[] {
	return [at, depth, at, depth, key];
}
