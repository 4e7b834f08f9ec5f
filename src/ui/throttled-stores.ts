import type {StoreApi} from 'zustand/vanilla';
import type {Stores} from '../state/stores.ts';
import type {TimeSource} from './kit/ticker.ts';

/** Minimum time between frames, ms; changes in between are drawn with the next frame. */
const frame = 33;

/**
 * The stores as the screen reads them. Their state is always current, but a burst of changes notifies listeners once
 * per frame. The first change after a pause notifies immediately. State that keys change is in other stores and never
 * delayed.
 */
export function throttledStores(stores: Stores, time: TimeSource): Stores {
	return {
		...stores,
		fleet: throttledStore(stores.fleet, time),
		streams: throttledStore(stores.streams, time),
		connection: throttledStore(stores.connection, time),
		events: throttledStore(stores.events, time),
		organization: throttledStore(stores.organization, time),
	};
}

/** Runs no timer while nothing changes. */
export function throttledStore<State>(store: StoreApi<State>, time: TimeSource): StoreApi<State> {
	type Listener = (state: State, before: State) => void;
	const listeners = new Set<Listener>();
	let published = store.getState();
	let cancel: (() => void) | undefined;
	let unsubscribe: (() => void) | undefined;

	function publish(): void {
		const before = published;
		published = store.getState();
		cancel = time.after(frame, () => {
			cancel = undefined;
			if (store.getState() !== published) publish();
		});
		for (const listener of listeners) listener(published, before);
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
				cancel?.();
				cancel = undefined;
			};
		},
	};
}
