import {useEffect, useRef} from 'react';
import {useStore} from 'zustand';
import {restoreCursor} from '../state/cursor.ts';
import type {Lists} from '../state/lists.ts';
import {withCursor} from '../state/shown-item.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** The current lists, for code that runs between two frames; the list builder has them cached. */
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

/** The displayed lists, with the cursor restored on its row when data changes. */
export function useLists({stores, view, listBuilder}: AppParts): Lists {
	const fleet = useStore(stores.fleet);
	const outbox = useStore(stores.outbox);
	const marks = useStore(stores.attention, state => state.marks);
	const words = useStore(view, state => state.filter);
	const needsOnly = useStore(view, state => state.needsOnly);
	const showsArchived = useStore(view, state => state.showsArchived);
	const sort = useStore(view, state => state.sort);
	// The list builder caches its results: the lists stay the same objects until their input changes.
	const lists = listBuilder.lists(fleet, outbox, {words, needsOnly, showsArchived, sort, marks});
	const before = useRef<Lists>(undefined);
	useEffect(() => {
		const {cursor} = view.getState();
		const restored = restoreCursor(before.current, lists, cursor);
		before.current = lists;
		if (restored === cursor) return;
		// The first cursor position also shows its row; later data changes only move the cursor.
		setView(
			view,
			now =>
				(cursor === undefined && restored && !now.shown
					? withCursor(now, restored)
					: {...now, cursor: restored}) as typeof now,
		);
	}, [lists, view]);
	return lists;
}
