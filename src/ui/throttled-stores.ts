import type {StoreApi} from 'zustand/vanilla';
import type {Stores} from '../state/stores.ts';
import type {TimeSource} from './kit/ticker.ts';

/** Minimum time between frames, ms; changes in between are drawn with the next frame. */
const frame = 33;

/**
 * The stores as the screen reads them. Their state is always current, but a burst of changes notifies listeners once
 * per frame. The first change after a pause notifies immediately; pending changes of several stores are published
 * together. State that keys change is in other stores and never delayed.
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

/** Callbacks that end the pause of each recently published store; the first pause to end ends them all. */
type Resting = Set<() => void>;

/** Runs no timer while nothing changes. */
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
			// Wrap it: the same function may subscribe twice, as with the original store.
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
