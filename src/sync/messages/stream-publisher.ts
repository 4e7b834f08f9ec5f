import type {Stream, StreamStore} from '../../state/stream.ts';
import type {Clock} from '../core/clock.ts';

/**
 * Writes streams to the store at most once every 50 ms, so that a flood of messages doesn't redraw the screen
 * for each. The first change after a pause is published immediately.
 */
export type StreamPublisher = {
	/** Schedules a stream; `build` is called when it is published. */
	publish(sessionId: string, build: () => Stream): void;
	/** Publishes without waiting, because the user has asked for it. */
	publishNow(sessionId: string, build: () => Stream): void;
	/** Removes a stream immediately. */
	remove(sessionId: string): void;
	/** Publishes pending streams, then stops. */
	stop(): void;
};

const interval = 50;

export function createStreamPublisher(store: StreamStore, clock: Clock): StreamPublisher {
	const waiting = new Map<string, () => Stream>();
	let cancel: (() => void) | undefined;
	let isStopped = false;

	function flush(): void {
		if (waiting.size === 0) return;
		const built = [...waiting].map(([id, build]) => [id, build()] as const);
		waiting.clear();
		store.setState(({open}) => ({open: new Map([...open, ...built])}));
	}

	function rest(): void {
		cancel = clock.after(interval, () => {
			cancel = undefined;
			if (waiting.size === 0) return;
			flush();
			rest();
		});
	}

	return {
		publish(sessionId, build) {
			if (isStopped) return;
			waiting.set(sessionId, build);
			if (cancel) return;
			flush();
			rest();
		},
		publishNow(sessionId, build) {
			if (isStopped) return;
			waiting.set(sessionId, build);
			flush();
		},
		remove(sessionId) {
			waiting.delete(sessionId);
			if (!store.getState().open.has(sessionId)) return;
			store.setState(({open}) => ({open: new Map([...open].filter(([id]) => id !== sessionId))}));
		},
		stop() {
			cancel?.();
			cancel = undefined;
			flush();
			isStopped = true;
		},
	};
}
