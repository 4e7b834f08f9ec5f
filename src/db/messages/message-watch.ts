import type {FullPosition} from './message-position.ts';

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
