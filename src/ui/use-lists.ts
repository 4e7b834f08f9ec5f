import {useEffect, useRef} from 'react';
import {useStore} from 'zustand';
import {type Cursor, restoreCursor} from '../state/cursor.ts';
import {groupOf, type Lists} from '../state/lists.ts';
import {withCursor} from '../state/shown-item.ts';
import {setView} from './set-view.ts';
import type {Parts} from './use-app.ts';

/** What the lists are made of. */
export type ListParts = Parts<'stores' | 'view' | 'listBuilder'>;

/** The current lists, for code that runs between two frames; the list builder has them cached. */
export function listsNow({stores, view, listBuilder}: ListParts): Lists {
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
export function useLists({stores, view, listBuilder}: ListParts): Lists {
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
	/** The cursor as it was placed here, until the user moves it or opens something: it stays on the first row. */
	const placed = useRef<Cursor>(undefined);
	useEffect(() => {
		const {cursor} = view.getState();
		const isPlaced = cursor === undefined || cursor === placed.current;
		const restored = restoreCursor(before.current, lists, isPlaced ? undefined : cursor);
		before.current = lists;
		if (restored === cursor || (isPlaced && isSameRow(restored, cursor))) return;
		if (isPlaced) placed.current = restored;
		// The first row is shown, too; later data changes only move the cursor.
		setView(
			view,
			now =>
				(isPlaced && restored && now.shown?.kind !== 'session'
					? withCursor(now, restored)
					: {...now, cursor: restored}) as typeof now,
		);
	}, [lists, view]);
	useEffect(
		() =>
			view.subscribe(({cursor, focus, page, shown, dialogs}) => {
				const isUntouched =
					focus === 'lists' && page === 'work' && shown?.kind !== 'session' && dialogs.length === 0;
				if (cursor !== placed.current || !isUntouched) placed.current = undefined;
			}),
		[view],
	);
	// Keys never act on a session that a collapsed group hides, however the cursor came to it.
	useEffect(() => {
		if (cursorId === undefined || !groupOf(lists, cursorId)?.isCollapsed) return;
		setView(view, now => ({...now, cursor: restoreCursor(lists, lists, now.cursor)}) as typeof now);
	}, [lists, view, cursorId]);
	return lists;
}

function isSameRow(one: Cursor | undefined, other: Cursor | undefined): boolean {
	return one?.section === other?.section && one?.id === other?.id && one?.isComputer === other?.isComputer;
}
