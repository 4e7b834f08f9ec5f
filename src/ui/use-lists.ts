import {useEffect, useRef} from 'react';
import {useStore} from 'zustand';
import {restoreCursor} from '../state/cursor.ts';
import {groupOf, type Lists} from '../state/lists.ts';
import {withCursor} from '../state/shown-item.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** The current lists, for code that runs between two frames; the list builder has them cached. */
export function listsNow({stores, view, listBuilder}: AppParts): Lists {
	const {filter: words, needsOnly, showsArchived, sort, grouping, collapsed} = view.getState();
	const {marks} = stores.attention.getState();
	return listBuilder.lists(stores.fleet.getState(), stores.outbox.getState(), {
		words,
		needsOnly,
		showsArchived,
		sort,
		grouping,
		collapsed,
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
	const grouping = useStore(view, state => state.grouping);
	const collapsed = useStore(view, state => state.collapsed);
	const cursorId = useStore(view, state => state.cursor?.id);
	// The list builder caches its results: the lists stay the same objects until their input changes.
	const lists = listBuilder.lists(fleet, outbox, {
		words,
		needsOnly,
		showsArchived,
		sort,
		grouping,
		collapsed,
		marks,
	});
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
	// Keys never act on a session that a collapsed group hides, however the cursor came to it.
	useEffect(() => {
		if (cursorId === undefined || !groupOf(lists, cursorId)?.isCollapsed) return;
		setView(view, now => ({...now, cursor: restoreCursor(lists, lists, now.cursor)}) as typeof now);
	}, [lists, view, cursorId]);
	return lists;
}
