import type {Message, MessageRole} from '../../domain/messages/message.ts';
import {sequenceOf} from '../../domain/messages/timeline.ts';
import type {
	CachedMessage,
	FindOptions,
	FoundMessages,
	ListingState,
	MessageToCache,
	SearchedMessages,
} from '../database.ts';
import {type Connection, fromJson, type Row} from '../file/connection.ts';
import {findMessages, matchingTexts} from './find-messages.ts';
import {
	addToCount,
	countMessages,
	ensureListing,
	listingOf,
	readListingState,
	writeListingState,
} from './listings.ts';
import type {MessageWatch, WrittenMessages} from './message-watch.ts';
import {indexMessage, indexStale} from './search-index.ts';
import {searchMessages} from './search-messages.ts';
import {searchText} from './searchable.ts';

/** Queries over one index, newest first. sqlite doesn't allow the row id in a row comparison. */
export const newestQuery =
	'SELECT role, body, at, rank FROM messages WHERE listing = ? ORDER BY at DESC, rank DESC, key DESC LIMIT ?';
export const tiedBeforeQuery =
	'SELECT role, body, at, rank FROM messages WHERE listing = ? AND at = ? AND rank = ? AND key < ? ORDER BY key DESC LIMIT ?';
export const olderQuery =
	'SELECT role, body, at, rank FROM messages WHERE listing = ? AND (at, rank) < (?, ?) ORDER BY at DESC, rank DESC, key DESC LIMIT ?';
export const tiedFromQuery =
	'SELECT role, body, at, rank FROM messages WHERE listing = ? AND at = ? AND rank = ? AND key >= ? ORDER BY key LIMIT ?';
export const newerQuery =
	'SELECT role, body, at, rank FROM messages WHERE listing = ? AND (at, rank) > (?, ?) ORDER BY at, rank, key LIMIT ?';

export function messagesTable(connection: Connection, watch: MessageWatch) {
	/** Each session's listing key when its state was read: messages pruned since must not count as read. */
	const listings = new Map<string, number | undefined>();

	/** The session's listing for a write; undefined if another program pruned the one known here. */
	function listingForWrite(sessionId: string): number | undefined {
		const stored = listingOf(connection, sessionId);
		const known = listings.get(sessionId);
		if (stored !== undefined && known !== undefined && known !== stored) return undefined;
		const listing = stored ?? ensureListing(connection, sessionId);
		if (listings.has(sessionId)) listings.set(sessionId, listing);
		return listing;
	}

	return {
		put(sessionId: string, messages: readonly MessageToCache[]): void {
			if (messages.length === 0) return;
			const written = connection.write('normal', () => {
				const changes: WrittenMessages = new Map();
				const listing = listingForWrite(sessionId);
				if (listing === undefined) return changes;
				let added = 0;
				for (const one of messages) added += putOne(connection, listing, one, changes) ? 1 : 0;
				addToCount(connection, listing, added);
				indexStale(connection, listing, new Set(messages.map(({message}) => message.id)));
				return changes;
			});
			watch.publish(sessionId, written);
		},
		setRoles(sessionId: string, roles: ReadonlyMap<string, MessageRole>): void {
			if (roles.size === 0) return;
			connection.write('normal', () => {
				const listing = listingOf(connection, sessionId);
				if (listing === undefined) return;
				for (const [id, role] of roles) {
					connection.run('UPDATE messages SET role = ? WHERE listing = ? AND id = ?', role, listing, id);
				}
			});
		},
		/**
		 * The newest `limit` messages in display order, or the `limit` messages just before `before`; empty if that
		 * isn't cached.
		 */
		tail: (sessionId: string, limit: number, before?: string): CachedMessage[] =>
			connection.read(() => {
				const listing = listingOf(connection, sessionId);
				if (listing === undefined) return [];
				if (before === undefined) return inOrder(connection.all(newestQuery, listing, limit));
				const position = positionOfId(connection, listing, before);
				if (!position) return [];
				const {at, rank, key} = position;
				const tied = connection.all(tiedBeforeQuery, listing, at, rank, key, limit);
				const older = connection.all(olderQuery, listing, at, rank, limit - tied.length);
				return inOrder([...tied, ...older]);
			}),
		/** The message `id` and those after it, at most `limit`, in display order; empty if it isn't cached. */
		from: (sessionId: string, limit: number, id: string): CachedMessage[] =>
			connection.read(() => {
				const listing = listingOf(connection, sessionId);
				const position = listing === undefined ? undefined : positionOfId(connection, listing, id);
				if (listing === undefined || !position) return [];
				const {at, rank, key} = position;
				const tied = connection.all(tiedFromQuery, listing, at, rank, key, limit);
				const newer = connection.all(newerQuery, listing, at, rank, limit - tied.length);
				return inOrder([...tied, ...newer].reverse());
			}),
		count: (sessionId: string) => countMessages(connection, sessionId),
		listing: (sessionId: string): ListingState =>
			connection.read(() => {
				listings.set(sessionId, listingOf(connection, sessionId));
				return readListingState(connection, sessionId);
			}),
		/** The newest `limit` messages and the listing state, only to be shown: no later write relies on them. */
		peek: (sessionId: string, limit: number): {messages: CachedMessage[]; listing: ListingState} =>
			connection.read(() => {
				const listing = listingOf(connection, sessionId);
				if (listing === undefined) return {messages: [], listing: {}};
				const messages = inOrder(connection.all(newestQuery, listing, limit));
				return {messages, listing: readListingState(connection, sessionId)};
			}),
		setListingState(sessionId: string, state: ListingState): void {
			connection.write('normal', () => {
				const listing = listingForWrite(sessionId);
				if (listing !== undefined) writeListingState(connection, listing, state);
			});
		},
		/** Searches a session's cached messages for the words, until the result is closed. */
		find: (sessionId: string, words: string, options?: FindOptions): FoundMessages =>
			findMessages(connection, watch, sessionId, words, options),
		/** Searches all cached messages for the words; the newest `limit` matches can be read. */
		search: (words: string, limit: number): SearchedMessages => searchMessages(connection, words, limit),
		/** Indexes of the texts that contain the words, in order: what `find` would find among messages. */
		matching: (words: string, texts: readonly string[]) => matchingTexts(connection, words, texts),
	};
}

/** Writes a message if it changed, and records that; true if new. A known role stays if none is given. */
function putOne(
	connection: Connection,
	listing: number,
	{message, role, place}: MessageToCache,
	written: WrittenMessages,
): boolean {
	const body = JSON.stringify(message);
	const known = connection.get(
		'SELECT key, at, rank, role, body FROM messages WHERE listing = ? AND id = ?',
		listing,
		message.id,
	);
	if (!known) {
		const {at, rank} = place ?? {at: message.createdAt ?? 0, rank: sequenceOf(message) ?? 0};
		connection.run(
			'INSERT INTO messages (listing, id, at, rank, role, body) VALUES (?, ?, ?, ?, ?, ?)',
			listing,
			message.id,
			at,
			rank,
			role ?? null,
			body,
		);
		const key = connection.lastKey();
		if (!written.has(key)) written.set(key, undefined);
		indexMessage(connection, key, searchText(message));
		return true;
	}
	const key = Number(known.key);
	// Recorded even if the content is equal: another program may have written it.
	if (!written.has(key)) written.set(key, [Number(known.at), Number(known.rank), key]);
	const nextRole = role ?? (known.role as MessageRole | null);
	const {at, rank} = place ?? {at: message.createdAt ?? Number(known.at), rank: Number(known.rank)};
	const isSame = known.body === body && known.at === at && known.rank === rank;
	if (isSame && nextRole === known.role) return false;
	const before = known.body === body ? message : fromJson<Message>(known.body);
	const hasNewText = !before || searchText(before) !== searchText(message);
	connection.run(
		'UPDATE messages SET at = ?, rank = ?, role = ?, body = ?, is_stale = max(is_stale, ?) WHERE key = ?',
		at,
		rank,
		nextRole,
		body,
		hasNewText ? 1 : 0,
		key,
	);
	return false;
}

function positionOfId(
	connection: Connection,
	listing: number,
	id: string,
): {at: number; rank: number; key: number} | undefined {
	const row = connection.get('SELECT at, rank, key FROM messages WHERE listing = ? AND id = ?', listing, id);
	return row && {at: Number(row.at), rank: Number(row.rank), key: Number(row.key)};
}

function inOrder(newestFirst: Row[]): CachedMessage[] {
	return newestFirst.reverse().flatMap(({role, body, at, rank}) => {
		const message = fromJson<Message>(body);
		if (!message) return [];
		const place = {at: Number(at), rank: Number(rank)};
		return {message, ...place, role: (role as MessageRole | null) ?? undefined};
	});
}
