import type {StoreApi} from 'zustand/vanilla';
import type {Stores} from '../state/stores.ts';
import type {TimeSource} from './kit/ticker.ts';

/** A terminal shows no more frames than that in a second: what changes in between is drawn with the next, ms. */
const frame = 33;

/**
 * The stores as the screen reads them. Their state is always the newest, but a burst of changes (a hundred computers
 * read at the start, a stream of messages) is told once a frame, not once a change. The first after a rest is told at
 * once. What waits in several is told together, as one frame. What keys change lies in other stores and never waits.
 */
export function throttledStores(stores: Stores, time: TimeSource): Stores {
	const resting: Resting = new Set();
	return {
		...stores,
		fleet: throttledStore(stores.fleet, time, resting),
		streams: throttledStore(stores.streams, time, resting),
		connection: throttledStore(stores.connection, time, resting),
		events: throttledStore(stores.events, time, resting),
		organization: throttledStore(stores.organization, time, resting),
	};
}

/** What ends the rest of each store that was told of a moment ago: the first rest that is over ends all of them. */
type Resting = Set<() => void>;

/** Nothing runs while nothing changes. */
export function throttledStore<State>(
	store: StoreApi<State>,
	time: TimeSource,
	resting: Resting = new Set(),
): StoreApi<State> {
	type Listener = (state: State, before: State) => void;
	const listeners = new Set<Listener>();
	let published = store.getState();
	let cancel: (() => void) | undefined;
	let unsubscribe: (() => void) | undefined;

	function publish(): void {
		const before = published;
		published = store.getState();
		cancel = time.after(frame, () => {
			for (const end of [...resting]) end();
		});
		resting.add(end);
		for (const listener of listeners) listener(published, before);
	}

	function stopResting(): void {
		resting.delete(end);
		cancel?.();
		cancel = undefined;
	}

	function end(): void {
		stopResting();
		if (store.getState() !== published) publish();
	}

	return {
		...store,
		subscribe(listener) {
			// The same function may be told twice, as by the store itself.
			const own: Listener = (state, before) => listener(state, before);
			if (listeners.size === 0) {
				published = store.getState();
				unsubscribe = store.subscribe(() => {
					if (!cancel) publish();
				});
			}
			listeners.add(own);
			return () => {
				if (!listeners.delete(own) || listeners.size > 0) return;
				unsubscribe?.();
				stopResting();
			};
		},
	};
}
