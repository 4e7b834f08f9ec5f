import type {Connection} from './connection.ts';
import type {Database} from './database.ts';
import type {MessageWatch} from './message-watch.ts';
import {mergeSome, unindexMessages} from './search-index.ts';

/** Messages that one step removes, pages that it merges in the search index, and pages that it gives back: some ms each. */
const stepOf = {messages: 8, merged: 4, freed: 24} as const;
/** A session that any program has used within this time may be open there, ms. */
const inUse = 10 * 60_000;

/** The cached messages as a whole: what they take, and the way to less. */
export function cacheTable(connection: Connection, watch: MessageWatch): Database['cache'] {
	const pragma = (name: string) => Number(connection.get(`PRAGMA ${name}`)?.[name]);

	function size() {
		const [pages, free, pageSize] = [pragma('page_count'), pragma('freelist_count'), pragma('page_size')];
		return {used: (pages - free) * pageSize, free: free * pageSize};
	}

	/** The session whose cache goes first: read to its end and longest unused. */
	function first(): {sessionId: string; key: number} | undefined {
		const row = connection.get(
			`SELECT session_id, key FROM listings WHERE total > 0 AND used_at < ?
			ORDER BY instr(facts, '"isComplete":true') > 0 DESC, used_at, key LIMIT 1`,
			connection.now() - inUse,
		);
		return row && {sessionId: String(row.session_id), key: Number(row.key)};
	}

	/** All at once for whoever reads: the session has no messages any more, and what is known of its pages is forgotten. */
	function detach(sessionId: string, key: number): void {
		connection.write('normal', () =>
			connection.run(
				`UPDATE listings SET facts = '{}', total = 0,
				key = 1 + max((SELECT max(key) FROM listings), (SELECT max(listing) FROM messages)) WHERE key = ?`,
				key,
			),
		);
		watch.publish(sessionId, 'all');
	}

	/** Messages of sessions that were detached, by this run or by one that was ended. */
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
			stepOf.messages,
		);
		const keys = JSON.stringify(rows.map(({key}) => key));
		if (rows.length > 0)
			connection.write('normal', () => {
				unindexMessages(connection, keys);
				connection.run('DELETE FROM messages WHERE key IN (SELECT value FROM json_each(?))', keys);
			});
		return rows.length === stepOf.messages;
	}

	/** The words of removed messages stay in the index until the parts that hold them are merged. */
	function* mergeIndex(): Generator<undefined> {
		const changes = () => Number(connection.get('SELECT total_changes() AS count')?.count);
		for (;;) {
			const before = changes();
			connection.write('normal', () => mergeSome(connection, stepOf.merged));
			// One change is the command itself.
			if (changes() - before < 2) return;
			yield;
		}
	}

	/** Gives free room back to the disk; a file made before that was possible keeps it for what comes. */
	function* shrink(): Generator<undefined> {
		if (pragma('auto_vacuum') !== 2) return;
		for (let left = pragma('freelist_count'); left > 0; ) {
			connection.write('normal', () => connection.all(`PRAGMA incremental_vacuum(${stepOf.freed})`));
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
		sessions: () =>
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
					...(Number(oldest) > 0 && {oldestAt: Number(oldest)}),
					...(Number(used_at) > 0 && {usedAt: Number(used_at)}),
				})),
		use(sessionIds) {
			connection.write('normal', () =>
				connection.run(
					'UPDATE listings SET used_at = ? WHERE session_id IN (SELECT value FROM json_each(?))',
					connection.now(),
					JSON.stringify(sessionIds),
				),
			);
		},
		*prune(target) {
			yield* removeDetached();
			for (let next = first(); next && size().used > target; next = first()) {
				detach(next.sessionId, next.key);
				yield next.sessionId;
				yield* removeDetached();
				yield* mergeIndex();
			}
			yield* shrink();
		},
		rebuild() {
			connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
			connection.exec('VACUUM');
			// The next write cuts the log down to its limit. An empty one would look to other programs as if it had been lost.
			connection.exec('PRAGMA wal_checkpoint(RESTART)');
		},
	};
}
