import {randomId} from '../../hooks/random-id.ts';
import type {ListingState} from './database.ts';
import type {Connection} from './file/connection.ts';
import {readListingState} from './messages/listings.ts';
import type {MessageWatch} from './messages/message-watch.ts';
import {mergeSome, unindexMessages} from './messages/search-index.ts';

/** Per step: messages removed, index pages merged, and pages freed. Each step takes a few ms. */
const stepSizes = {messages: 8, merged: 4, freed: 24} as const;
/** A session used by any program within this time (ms) may still be open there. */
const recentUse = 10 * 60_000;
/** Messages that a watched session keeps: the last page of its listing, and more than a read looks at. */
const newestKept = 200;

/** Cache size of a session, and when it was last read. Times are Unix ms. */
export type CachedSession = {
	readonly sessionId: string;
	readonly messages: number;
	readonly bytes: number;
	readonly oldestAt?: number;
	readonly usedAt?: number;
};

/** The message cache as a whole: its size, and ways to shrink it. */
export function cacheTable(connection: Connection, watch: MessageWatch) {
	const pragma = (name: string) => Number(connection.get(`PRAGMA ${name}`)?.[name]);

	/** Bytes of the file in use by all data, and free bytes inside it. */
	function size() {
		const [pages, free, pageSize] = [pragma('page_count'), pragma('freelist_count'), pragma('page_size')];
		return {used: (pages - free) * pageSize, free: free * pageSize};
	}

	/** The session to evict first: read to its end and least recently used. `watched` is a JSON array of ids. */
	function nextToEvict(watched: string): {sessionId: string; key: number; isWatched: boolean} | undefined {
		const row = connection.get(
			`SELECT session_id, key, session_id IN (SELECT value FROM json_each(?1)) AS watched
			FROM listings WHERE total > 0 AND used_at < ?2 AND (total > ?3 OR NOT watched)
			ORDER BY instr(facts, '"isComplete":true') > 0 DESC, used_at, key LIMIT 1`,
			watched,
			connection.now() - recentUse,
			newestKept,
		);
		if (!row) return undefined;
		return {sessionId: String(row.session_id), key: Number(row.key), isWatched: row.watched === 1};
	}

	/** Readers see one atomic change: the session loses its messages and its listing state, or most of them. */
	function detach(sessionId: string, key: number, isWatched: boolean): void {
		connection.write('normal', () => {
			const kept = isWatched ? newestOf(key) : [];
			const state = kept[0] ? stateOfEnd(readListingState(connection, sessionId), kept) : {};
			const next = connection.get(
				'SELECT 1 + max((SELECT max(key) FROM listings), (SELECT max(listing) FROM messages)) AS next',
			)?.next as number;
			connection.run(
				'UPDATE listings SET facts = ?, total = ?, key = ? WHERE key = ?',
				JSON.stringify(state),
				kept.length,
				next,
				key,
			);
			for (const {key: message} of kept)
				connection.run('UPDATE messages SET listing = ? WHERE key = ?', next, message);
		});
		watch.publish(sessionId, 'all');
	}

	/** The newest messages of a listing, oldest first. */
	function newestOf(listing: number): readonly {readonly id: string; readonly key: number}[] {
		return connection
			.all(
				'SELECT id, key FROM messages WHERE listing = ? ORDER BY at DESC, rank DESC, key DESC LIMIT ?',
				listing,
				newestKept,
			)
			.map(({id, key}) => ({id: String(id), key: Number(key)}))
			.reverse();
	}

	/** Deletes the messages of detached sessions, including those that an earlier, interrupted run detached. */
	function* removeDetached(): Generator<undefined> {
		for (let listing = nextListing(0); listing !== undefined; listing = nextListing(listing)) {
			if (connection.get('SELECT 1 FROM listings WHERE key = ?', listing)) continue;
			while (removeSome(listing)) yield;
		}
	}

	function nextListing(after: number): number | undefined {
		const found = connection.get('SELECT min(listing) AS next FROM messages WHERE listing > ?', after)?.next;
		return typeof found === 'number' ? found : undefined;
	}

	function removeSome(listing: number): boolean {
		const rows = connection.all(
			'SELECT key FROM messages WHERE listing = ? LIMIT ?',
			listing,
			stepSizes.messages,
		);
		const keys = JSON.stringify(rows.map(({key}) => key));
		if (rows.length > 0)
			connection.write('normal', () => {
				unindexMessages(connection, keys);
				connection.run('DELETE FROM messages WHERE key IN (SELECT value FROM json_each(?))', keys);
			});
		return rows.length === stepSizes.messages;
	}

	/** sqlite drops the words of removed messages only when it merges the index segments that hold them. */
	function* mergeIndex(): Generator<undefined> {
		const changes = () => Number(connection.get('SELECT total_changes() AS count')?.count);
		for (;;) {
			const before = changes();
			connection.write('normal', () => mergeSome(connection, stepSizes.merged));
			// The command itself counts as one change.
			if (changes() - before < 2) return;
			yield;
		}
	}

	/** Returns free pages to the disk. */
	function* shrink(): Generator<undefined> {
		for (let left = pragma('freelist_count'); left > 0; ) {
			connection.write('normal', () => connection.all(`PRAGMA incremental_vacuum(${stepSizes.freed})`));
			const now = pragma('freelist_count');
			if (now >= left) return;
			left = now;
			yield;
		}
	}

	return {
		size,
		totals() {
			const row = connection.get(
				'SELECT count(*) AS sessions, sum(total) AS messages FROM listings WHERE total > 0',
			);
			return {sessions: Number(row?.sessions ?? 0), messages: Number(row?.messages ?? 0)};
		},
		/** Cache size of each session, largest first. Reads the whole cache. */
		sessions: (): CachedSession[] =>
			connection
				.all(
					`SELECT session_id, total, used_at,
					(SELECT min(at) FROM messages WHERE listing = listings.key) AS oldest,
					(SELECT sum(octet_length(body)) FROM messages WHERE listing = listings.key) AS bytes
					FROM listings WHERE total > 0 ORDER BY bytes DESC`,
				)
				.map(({session_id, total, used_at, oldest, bytes}) => ({
					sessionId: String(session_id),
					messages: Number(total),
					bytes: Number(bytes ?? 0),
					oldestAt: Number(oldest) || undefined,
					usedAt: Number(used_at) || undefined,
				})),
		/** Marks sessions as open: no program evicts their messages for the next minutes. */
		use(sessionIds: readonly string[]): void {
			connection.write('normal', () =>
				connection.run(
					'UPDATE listings SET used_at = ? WHERE session_id IN (SELECT value FROM json_each(?))',
					connection.now(),
					JSON.stringify(sessionIds),
				),
			);
		},
		/**
		 * Evicts sessions until at most `target` bytes are in use, yielding their ids as it goes: fully read and
		 * least recently used first. The `watched` keep their newest messages, or they would be read again at once.
		 * Each step takes some ms.
		 */
		*prune(target: number, watched: readonly string[] = []): Generator<string | undefined> {
			yield* removeDetached();
			const ids = JSON.stringify(watched);
			for (let next = nextToEvict(ids); next && size().used > target; next = nextToEvict(ids)) {
				detach(next.sessionId, next.key, next.isWatched);
				yield next.sessionId;
				yield* removeDetached();
				yield* mergeIndex();
			}
			yield* shrink();
		},
	};
}

/** The listing state of a session of which only these messages are left, oldest first. */
function stateOfEnd(state: ListingState, kept: readonly {readonly id: string}[]): ListingState {
	if (state.pageOrder === 'oldest-first') return {...state, isComplete: false, isPruned: true};
	const before = kept[0]?.id ?? '';
	const ids = new Set(kept.slice(1).map(({id}) => id));
	const gaps = (state.gaps ?? []).filter(gap => gap.after !== undefined && ids.has(gap.before));
	return {...state, isComplete: false, gaps: [...gaps, {id: randomId(), before}]};
}
