import type {FullPosition} from './message-position.ts';

/** Keys of messages that were written, with the place that each had before; without one it was not there. */
export type WrittenMessages = Map<number, FullPosition | undefined>;

/** Tells what a write has done to the messages of a session, once it is done. */
export type MessageWatch = {
	/** `all`: the session was forgotten with all its messages. The returned function ends it. */
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
