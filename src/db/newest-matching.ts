import type {Connection} from './connection.ts';
import {freeBuffer} from './free-buffer.ts';
import {fromJson} from './json.ts';
import {markRange, newestKey} from './matching-keys.ts';
import {afterAll, type FullPosition, positionOfKey} from './message-position.ts';

/** Of so many, each is looked at; of more, some are soon met where the newest messages are. */
const few = 4000;
/** Messages that one step of a walk takes in, and keys that are asked of the index at once. */
const walked = 1000;
const asked = 16_384;

/**
 * Keys of the newest messages that match a query of the index, the newest first, when `count` match. The index knows no
 * time: few are sorted by theirs, many are met on a walk from the newest message back.
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

/** sqlite takes one index for both comparisons only when the shorter one is there. */
const before = `SELECT json_group_array(key) AS keys FROM (
	SELECT key FROM messages WHERE (at, depth) <= (?, ?) AND (at, depth, key) < (?, ?, ?)
	ORDER BY at DESC, depth DESC, key DESC LIMIT ${walked})`;

function bound([at, depth, key]: FullPosition): readonly number[] {
	return [at, depth, at, depth, key];
}
