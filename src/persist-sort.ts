import type {Database} from './db/database.ts';
import {isStorageError} from './db/storage-error.ts';
import {sessionSorts} from './state/session-sort.ts';
import type {ViewStore} from './state/view.ts';

/** Database setting that stores the session sort order. */
const name = 'lists.sort';

/** Restores the session sort order and saves every change to it. Returns a function that stops saving. */
export function persistSort(view: ViewStore, settings: Database['settings']): () => void {
	const sort = sessionSorts.find(one => one === settings.get(name));
	if (sort !== undefined) view.setState({sort});
	return view.subscribe((now, before) => {
		if (now.sort === before.sort) return;
		try {
			settings.put(name, now.sort);
		} catch (error) {
			// A full disk is reported elsewhere; the order applies for this run only.
			if (!isStorageError(error)) throw error;
		}
	});
}
