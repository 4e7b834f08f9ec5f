import type {Clock} from '../domain/clock.ts';
import type {HookEvent} from '../domain/sessions/signal.ts';

/** Saves events. They are on disk once this returns or resolves; if it throws, none of them is. */
export type SaveEvents = (events: readonly HookEvent[]) => void | Promise<void>;

type Waiting = {
	readonly event: HookEvent;
	readonly resolve: () => void;
	readonly reject: (reason: unknown) => void;
};

/** Minimum time between two writes, ms: short for a waiting hook, long enough to share a write. */
const minInterval = 20;

/** Batches events: the first after a pause is saved immediately, and those that come soon after it share a write. */
export function createHookBatch(saveEvents: SaveEvents, clock: Clock) {
	let waiting: Waiting[] = [];
	let lastAt = Number.NEGATIVE_INFINITY;
	let isClosed = false;
	let stopTimer: (() => void) | undefined;

	/** Runs after the poll phase, so that all data that has arrived is read first. */
	function flushSoon(): void {
		stopTimer = undefined;
		setImmediate(flush);
	}

	async function flush(): Promise<void> {
		const batch = waiting;
		waiting = [];
		lastAt = clock.now();
		try {
			await saveEvents(batch.map(({event}) => event));
			for (const {resolve} of batch) resolve();
		} catch (error) {
			for (const {reject} of batch) reject(error);
		}
	}

	return {
		/** Resolves once the event is saved; rejects with the error of its batch. */
		save: (event: HookEvent) =>
			new Promise<void>((resolve, reject) => {
				waiting.push({event, resolve, reject});
				if (waiting.length > 1) return;
				const delay = lastAt + minInterval - clock.now();
				// A clock that was set back must not delay the write.
				if (delay > 0 && delay <= minInterval && !isClosed) stopTimer = clock.after(delay, flushSoon);
				else flushSoon();
			}),
		/** Saves pending events immediately, and later ones without a delay. */
		close() {
			isClosed = true;
			if (!stopTimer) return;
			stopTimer();
			flushSoon();
		},
	};
}
