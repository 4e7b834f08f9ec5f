import type {ListingState} from '../database.ts';
import {type Connection, fromJson} from '../file/connection.ts';

export function listingOf(connection: Connection, sessionId: string): number | undefined {
	return connection.get('SELECT key FROM listings WHERE session_id = ?', sessionId)?.key as
		| number
		| undefined;
}

/** Like `listingOf`, but creates a missing listing. Call only inside a write. */
export function ensureListing(connection: Connection, sessionId: string): number {
	const known = listingOf(connection, sessionId);
	if (known !== undefined) return known;
	connection.run('INSERT INTO listings (session_id) VALUES (?)', sessionId);
	return connection.lastKey();
}

export function countMessages(connection: Connection, sessionId: string): number {
	return Number(connection.get('SELECT total FROM listings WHERE session_id = ?', sessionId)?.total ?? 0);
}

export function addToCount(connection: Connection, listing: number, added: number): void {
	if (added !== 0) connection.run('UPDATE listings SET total = total + ? WHERE key = ?', added, listing);
}

export function readListingState(connection: Connection, sessionId: string): ListingState {
	const row = connection.get('SELECT facts FROM listings WHERE session_id = ?', sessionId);
	return fromJson<ListingState>(row?.facts) ?? {};
}

/** Call only inside a write. */
export function writeListingState(connection: Connection, listing: number, state: ListingState): void {
	connection.run(
		'UPDATE listings SET facts = ?, used_at = ? WHERE key = ?',
		JSON.stringify(state),
		connection.now(),
		listing,
	);
}

/** Deletes a session's cached messages, index entries and listing state. Call only inside a write. */
export function removeListing(connection: Connection, sessionId: string): void {
	const listing = listingOf(connection, sessionId);
	if (listing === undefined) return;
	connection.run(
		'DELETE FROM message_words WHERE rowid IN (SELECT key FROM messages WHERE listing = ?)',
		listing,
	);
	connection.run('DELETE FROM messages WHERE listing = ?', listing);
	connection.run('DELETE FROM listings WHERE key = ?', listing);
}
