import type {Connection} from '../file/connection.ts';

/** Keys of written messages with their previous positions; undefined for new messages. */
export type WrittenMessages = Map<number, FullPosition | undefined>;

/** `all`: the session and all its messages were deleted. */
type OnWritten = (written: WrittenMessages | 'all') => void;

/** Reports the messages of a session that a write changed, after the write. */
export class MessageWatch {
	readonly #listeners = new Set<{readonly sessionId: string; readonly onWritten: OnWritten}>();

	listen(sessionId: string, onWritten: OnWritten): () => void {
		const listener = {sessionId, onWritten};
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	}

	publish(sessionId: string, written: WrittenMessages | 'all'): void {
		if (written !== 'all' && written.size === 0) return;
		for (const listener of this.#listeners) if (listener.sessionId === sessionId) listener.onWritten(written);
	}
}

/** A unique position: messages with equal time and rank are ordered by key. */
export type FullPosition = readonly [at: number, rank: number, key: number];

export const afterAll: FullPosition = [Number.MAX_SAFE_INTEGER, 0, 0];

/** Whether `a` comes after `b` in display order. */
export function isNewer(a: FullPosition, b: FullPosition): boolean {
	return (a[0] - b[0] || a[1] - b[1] || a[2] - b[2]) > 0;
}

/** Undefined if the message was deleted. */
export function positionOfKey(connection: Connection, key: number): FullPosition | undefined {
	const row = connection.get('SELECT at, rank FROM messages WHERE key = ?', key);
	return row && [Number(row.at), Number(row.rank), key];
}
