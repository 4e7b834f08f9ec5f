import type {Message} from '../domain/message.ts';
import {sequenceOf} from '../domain/order.ts';
import type {Connection} from './connection.ts';
import type {CachedMessage} from './database.ts';
import {fromJson} from './json.ts';
import type {WrittenMessages} from './message-watch.ts';

/**
 * A message's place in display order: by time; among equal times by sequence number if the service sends one, otherwise
 * parent before child.
 */
export type MessagePosition = {readonly at: number; readonly depth: number};

/** A place that no other message has: among those of one time and depth, that of the key. */
export type FullPosition = readonly [at: number, depth: number, key: number];

/** No message stands there. */
export const beforeAll: FullPosition = [Number.MIN_SAFE_INTEGER, 0, 0];
export const afterAll: FullPosition = [Number.MAX_SAFE_INTEGER, 0, 0];

/** Does `a` stand after `b` in display order? */
export function isNewer(a: FullPosition, b: FullPosition): boolean {
	return (a[0] - b[0] || a[1] - b[1] || a[2] - b[2]) > 0;
}

/** Absent when it is gone. */
export function positionOfKey(connection: Connection, key: number): FullPosition | undefined {
	const row = connection.get('SELECT at, depth FROM messages WHERE key = ?', key);
	return row && [Number(row.at), Number(row.depth), key];
}

/** A parent that comes late may move its descendants; a listing of endless equal times must not make that endless. */
const maxMoves = 1000;

/** A message without a time stands with its parent, or else with the newest that is known. */
export function positionOf(connection: Connection, listing: number, message: Message): MessagePosition {
	const parent =
		message.parentId === undefined
			? undefined
			: (connection.get(
					'SELECT at, depth FROM messages WHERE listing = ? AND id = ?',
					listing,
					message.parentId,
				) as MessagePosition | undefined);
	const at = Math.trunc(message.createdAt ?? parent?.at ?? newestAt(connection, listing));
	const sequence = sequenceOf(message);
	if (sequence !== undefined) return {at, depth: Math.trunc(sequence)};
	return {at, depth: parent?.at === at ? parent.depth + 1 : 0};
}

/** Puts the children of a message that is new or has moved where they belong now, and theirs in turn, and notes them. */
export function settleChildren(
	connection: Connection,
	listing: number,
	id: string,
	written: WrittenMessages,
): void {
	const parents = [id];
	let moves = 0;
	for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
		const children = connection.all(
			'SELECT key, id, at, depth, body FROM messages WHERE listing = ? AND parent = ?',
			listing,
			parent,
		);
		for (const child of children) {
			const message = fromJson<Message>(child.body);
			if (!message) continue;
			const place = positionOf(connection, listing, message);
			if (place.at === child.at && place.depth === child.depth) continue;
			if (++moves > maxMoves) return;
			const key = Number(child.key);
			if (!written.has(key)) written.set(key, [Number(child.at), Number(child.depth), key]);
			connection.run('UPDATE messages SET at = ?, depth = ? WHERE key = ?', place.at, place.depth, key);
			parents.push(message.id);
		}
	}
}

/** The same messages, a parent always before its children, otherwise in the order given. The last of two with one id wins. */
export function parentsFirst(messages: readonly CachedMessage[]): CachedMessage[] {
	const waiting = new Map(messages.map(kept => [kept.message.id, kept]));
	const ordered: CachedMessage[] = [];
	for (const {message} of messages) {
		const chain: CachedMessage[] = [];
		for (let id: string | undefined = message.id; id !== undefined; ) {
			const kept = waiting.get(id);
			if (!kept) break;
			waiting.delete(id);
			chain.push(kept);
			id = kept.message.parentId;
		}
		ordered.push(...chain.reverse());
	}
	return ordered;
}

function newestAt(connection: Connection, listing: number): number {
	return Number(
		connection.get('SELECT at FROM messages WHERE listing = ? ORDER BY at DESC LIMIT 1', listing)?.at ?? 0,
	);
}
