import type {Database} from './db/database.ts';
import {isStorageError} from './db/storage-error.ts';
import {sessionSorts} from './state/session-sort.ts';
import type {ViewStore} from './state/view.ts';

/** Setting of the database that holds the order of the sessions. */
const name = 'lists.sort';

/** Brings the order of the sessions back, and keeps it from then on whenever it is changed. Answers how to end that. */
export function persistSort(view: ViewStore, settings: Database['settings']): () => void {
	const sort = sessionSorts.find(one => one === settings.get(name));
	if (sort !== undefined) view.setState({sort});
	return view.subscribe((now, before) => {
		if (now.sort === before.sort) return;
		try {
			settings.put(name, now.sort);
		} catch (error) {
			// A full disk is told elsewhere; the order holds for this run.
			if (!isStorageError(error)) throw error;
		}
	});
}
