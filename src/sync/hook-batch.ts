import type {HookEvent} from '../domain/hook-event.ts';

/** Keeps some events; they are safe once this returns or resolves, and none of them when it throws. */
export type KeepEvents = (events: readonly HookEvent[]) => void | Promise<void>;

type Waiting = {
	readonly event: HookEvent;
	readonly resolve: () => void;
	readonly reject: (reason: unknown) => void;
};

/**
 * Hands over together what came in one turn of the event loop: a lone event as soon as one without it, a flood with one
 * write to disk for many. The returned promise settles as `keepEvents` does.
 */
export function createHookBatch(keepEvents: KeepEvents): (event: HookEvent) => Promise<void> {
	let waiting: Waiting[] = [];

	async function flush(): Promise<void> {
		const batch = waiting;
		waiting = [];
		try {
			await keepEvents(batch.map(({event}) => event));
			for (const {resolve} of batch) resolve();
		} catch (error) {
			for (const {reject} of batch) reject(error);
		}
	}

	return event =>
		new Promise((resolve, reject) => {
			// Behind the poll phase, in which all that has arrived is read.
			if (waiting.length === 0) setImmediate(flush);
			waiting.push({event, resolve, reject});
		});
}
