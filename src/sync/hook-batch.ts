import type {HookEvent} from '../domain/hook-event.ts';
import type {Clock} from './clock.ts';

/** Keeps some events; they are safe once this returns or resolves, and none of them when it throws. */
export type SaveEvents = (events: readonly HookEvent[]) => void | Promise<void>;

type Waiting = {
	readonly event: HookEvent;
	readonly resolve: () => void;
	readonly reject: (reason: unknown) => void;
};

/** From one write to disk to the next, ms: far below what a hook waits for its answer, and enough to share its cost. */
const apart = 20;
/** Events of one write at most: a few ms, then keys have their turn. */
const maxBatchSize = 100;

export type HookBatch = {
	/** Settles as `saveEvents` does with this event among others. */
	save(event: HookEvent): Promise<void>;
	/** Hands over what waits, and what still comes without a wait. */
	close(): void;
};

/**
 * Hands over together what comes within some ms: the first event after a rest at once, a flood with one write to disk
 * for many.
 */
export function createHookBatch(saveEvents: SaveEvents, clock: Clock): HookBatch {
	let waiting: Waiting[] = [];
	let lastAt = Number.NEGATIVE_INFINITY;
	let isClosed = false;
	let stopTimer: (() => void) | undefined;

	/** Behind the poll phase, in which all that has arrived is read. */
	function flushSoon(): void {
		stopTimer = undefined;
		setImmediate(flush);
	}

	async function flush(): Promise<void> {
		const batch = waiting.slice(0, maxBatchSize);
		waiting = waiting.slice(maxBatchSize);
		lastAt = clock.now();
		if (waiting.length > 0) flushSoon();
		try {
			await saveEvents(batch.map(({event}) => event));
			for (const {resolve} of batch) resolve();
		} catch (error) {
			for (const {reject} of batch) reject(error);
		}
	}

	return {
		save: event =>
			new Promise((resolve, reject) => {
				waiting.push({event, resolve, reject});
				if (waiting.length > 1) return;
				const rest = lastAt + apart - clock.now();
				// A clock that was set back delays nothing.
				if (rest > 0 && rest <= apart && !isClosed) stopTimer = clock.after(rest, flushSoon);
				else flushSoon();
			}),
		close() {
			isClosed = true;
			if (!stopTimer) return;
			stopTimer();
			flushSoon();
		},
	};
}
