import {useEffect, useRef} from 'react';
import {useStore} from 'zustand';
import {restoreCursor} from '../state/cursor.ts';
import type {Lists} from '../state/lists.ts';
import {withCursor} from '../state/shown-item.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** The lists of now, for what happens between two frames: the lister has them already. */
export function listsNow({stores, view, listBuilder}: AppParts): Lists {
	const {filter: words, needsOnly, showsArchived, sort} = view.getState();
	const {marks} = stores.attention.getState();
	return listBuilder.lists(stores.fleet.getState(), stores.outbox.getState(), {
		words,
		needsOnly,
		showsArchived,
		sort,
		marks,
	});
}

/** What the lists show, and a cursor that stays on its row whatever changed. */
export function useLists({stores, view, listBuilder}: AppParts): Lists {
	const fleet = useStore(stores.fleet);
	const outbox = useStore(stores.outbox);
	const marks = useStore(stores.attention, state => state.marks);
	const words = useStore(view, state => state.filter);
	const needsOnly = useStore(view, state => state.needsOnly);
	const showsArchived = useStore(view, state => state.showsArchived);
	const sort = useStore(view, state => state.sort);
	// The lister keeps what it made: the same lists until something of them changes.
	const lists = listBuilder.lists(fleet, outbox, {words, needsOnly, showsArchived, sort, marks});
	const before = useRef<Lists>(undefined);
	useEffect(() => {
		const {cursor} = view.getState();
		const kept = restoreCursor(before.current, lists, cursor);
		before.current = lists;
		if (kept === cursor) return;
		// The first cursor shows what it is on; later the data moves no more than the mark.
		setView(
			view,
			now =>
				(cursor === undefined && kept && !now.shown
					? withCursor(now, kept)
					: {...now, cursor: kept}) as typeof now,
		);
	}, [lists, view]);
	return lists;
}
