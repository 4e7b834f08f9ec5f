import type {FullPosition} from './message-position.ts';

/** Keys of written messages with their previous positions; undefined for new messages. */
export type WrittenMessages = Map<number, FullPosition | undefined>;

/** Reports the messages of a session that a write changed, after the write. */
export type MessageWatch = {
	/** `all`: the session and all its messages were deleted. Returns the unsubscribe function. */
	listen(sessionId: string, onWritten: (written: WrittenMessages | 'all') => void): () => void;
	publish(sessionId: string, written: WrittenMessages | 'all'): void;
};

export function createMessageWatch(): MessageWatch {
	type Listener = {
		readonly sessionId: string;
		readonly onWritten: (written: WrittenMessages | 'all') => void;
	};
	const listeners = new Set<Listener>();
	return {
		listen(sessionId, onWritten) {
			const listener = {sessionId, onWritten};
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		publish(sessionId, written) {
			if (written !== 'all' && written.size === 0) return;
			for (const listener of listeners) if (listener.sessionId === sessionId) listener.onWritten(written);
		},
	};
}
