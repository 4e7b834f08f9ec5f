import {append} from '../../domain/large-arrays.ts';
import type {Message} from '../../domain/messages/message.ts';
import {sequenceOf} from '../../domain/order.ts';
import type {CachedMessage} from '../database.ts';
import type {Connection} from '../file/connection.ts';
import {fromJson} from '../file/json.ts';
import type {WrittenMessages} from './message-watch.ts';

/** Position in display order: by time, then by sequence number if sent, else parent before child. */
type MessagePosition = {readonly at: number; readonly depth: number};

/** A unique position: messages with equal time and depth are ordered by key. */
export type FullPosition = readonly [at: number, depth: number, key: number];

/** Positions before and after every message. */
export const beforeAll: FullPosition = [Number.MIN_SAFE_INTEGER, 0, 0];
export const afterAll: FullPosition = [Number.MAX_SAFE_INTEGER, 0, 0];

/** Whether `a` comes after `b` in display order. */
export function isNewer(a: FullPosition, b: FullPosition): boolean {
	return (a[0] - b[0] || a[1] - b[1] || a[2] - b[2]) > 0;
}

/** Undefined if the message was deleted. */
export function positionOfKey(connection: Connection, key: number): FullPosition | undefined {
	const row = connection.get('SELECT at, depth FROM messages WHERE key = ?', key);
	return row && [Number(row.at), Number(row.depth), key];
}

/** A late parent may move its descendants; this bounds the moves in a long run of equal times. */
const maxMoves = 1000;

/**
 * A message without a time is placed with its parent, or else with the newest known message. `firstDepth`:
 * the depth of messages without a parent of the same time.
 */
export function positionOf(
	connection: Connection,
	listing: number,
	message: Message,
	firstDepth: (at: number) => number = () => 0,
): MessagePosition {
	const parent =
		message.parentId === undefined || message.parentId === message.id
			? undefined
			: (connection.get(
					'SELECT at, depth FROM messages WHERE listing = ? AND id = ?',
					listing,
					message.parentId,
				) as MessagePosition | undefined);
	const at = Math.trunc(message.createdAt ?? parent?.at ?? newestAt(connection, listing));
	const sequence = sequenceOf(message);
	if (sequence !== undefined) return {at, depth: Math.trunc(sequence)};
	return {at, depth: parent?.at === at ? parent.depth + 1 : firstDepth(at)};
}

/** Depths that place `count` messages, and their children among them, before cached ones of the same time. */
export function depthBefore(connection: Connection, listing: number, count: number): (at: number) => number {
	const depths = new Map<number, number>();
	return at => {
		const query = 'SELECT min(depth) AS depth FROM messages WHERE listing = ? AND at = ?';
		const first = depths.has(at) ? undefined : connection.get(query, listing, at)?.depth;
		const depth = depths.get(at) ?? (typeof first === 'number' ? first - count : 0);
		depths.set(at, depth);
		return depth;
	};
}

/** Repositions the children of a new or moved message, then their children, and records each move. */
export function moveChildren(
	connection: Connection,
	listing: number,
	id: string,
	written: WrittenMessages,
): void {
	const parents = [id];
	/** Messages may be their own ancestors. */
	const seen = new Set(parents);
	let moves = 0;
	for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
		const children = connection.all(
			'SELECT key, id, at, depth, body FROM messages WHERE listing = ? AND parent = ?',
			listing,
			parent,
		);
		for (const child of children) {
			const message = fromJson<Message>(child.body);
			if (!message || seen.has(message.id)) continue;
			const position = positionOf(connection, listing, message);
			if (position.at === child.at && position.depth === child.depth) continue;
			if (++moves > maxMoves) return;
			const key = Number(child.key);
			if (!written.has(key)) written.set(key, [Number(child.at), Number(child.depth), key]);
			connection.run('UPDATE messages SET at = ?, depth = ? WHERE key = ?', position.at, position.depth, key);
			parents.push(message.id);
			seen.add(message.id);
		}
	}
}

/** Sorts parents before their children, otherwise keeping the order. The last message with an id wins. */
export function parentsFirst(messages: readonly CachedMessage[]): CachedMessage[] {
	const waiting = new Map(messages.map(cached => [cached.message.id, cached]));
	const ordered: CachedMessage[] = [];
	for (const {message} of messages) {
		const chain: CachedMessage[] = [];
		for (let id: string | undefined = message.id; id !== undefined; ) {
			const cached = waiting.get(id);
			if (!cached) break;
			waiting.delete(id);
			chain.push(cached);
			id = cached.message.parentId;
		}
		append(ordered, chain.reverse());
	}
	return ordered;
}

function newestAt(connection: Connection, listing: number): number {
	return Number(
		connection.get('SELECT at FROM messages WHERE listing = ? ORDER BY at DESC LIMIT 1', listing)?.at ?? 0,
	);
}
