import {useEffect, useLayoutEffect, useRef} from 'react';
import {useStore} from 'zustand';
import type {Connection} from '../state/connection.ts';
import {groupOf, type Lists, type NeedsItem} from '../state/lists/lists.ts';
import {type Cursor, restoreCursor} from '../state/view/cursor.ts';
import {withCursor} from '../state/view/shown-item.ts';
import {filterOf, setView} from '../state/view/view.ts';
import type {Parts} from './use-app.ts';

export type ListParts = Parts<'stores' | 'view' | 'listBuilder'>;

/** The current lists, which the list builder caches: for code that runs between two frames. */
export function listsNow({stores, view, listBuilder}: ListParts): Lists {
	const now = view.getState();
	const {needsOnly, showsArchived, sort, grouping, collapsed} = now;
	const {marks} = stores.attention.getState();
	return listBuilder.lists(stores.fleet.getState(), stores.outbox.getState(), {
		words: filterOf(now, 'work'),
		needsOnly,
		showsArchived,
		sort,
		grouping,
		collapsed,
		marks,
		isServiceGone: isGone(stores.connection.getState()),
	});
}

/** Everything known in the order of the lists, whatever they filter. */
export function unfilteredNow({stores, view, listBuilder}: ListParts) {
	const {sort, grouping} = view.getState();
	const {marks} = stores.attention.getState();
	const isServiceGone = isGone(stores.connection.getState());
	const order = {sort, grouping, marks, isServiceGone};
	return listBuilder.unfiltered(stores.fleet.getState(), stores.outbox.getState(), order);
}

/** Whether the service has been out for so long that the screen explains it. */
const isGone = ({outage}: Connection) => outage !== undefined;

/** The displayed lists, with the cursor restored on its row when data changes. */
export function useLists(parts: ListParts): Lists {
	const {stores, view} = parts;
	useStore(stores.fleet);
	useStore(stores.outbox);
	useStore(stores.attention);
	useStore(stores.connection, isGone);
	const cursorId = useStore(view, state => state.cursor?.id);
	// The list builder caches its results: the lists stay the same objects until their input changes.
	const lists = useStore(view, () => listsNow(parts));
	const before = useRef<Lists>(undefined);
	/** The cursor on the first row, as set here, until all sessions are read and it is on a request, or
	 * the user moves, filters or opens something. */
	const initial = useRef<Cursor>(undefined);
	// In a layout effect, so that no key comes between: it would act on a row that a filter hides.
	useLayoutEffect(() => {
		const {cursor} = view.getState();
		const isInitial = cursor === undefined || cursor === initial.current;
		const restored = restoreCursor(before.current, lists, isInitial ? undefined : cursor);
		before.current = lists;
		if (restored === cursor || (isInitial && isSameRow(restored, cursor))) return;
		const hasRead = lists.counts.unread !== 'reading';
		if (isInitial) initial.current = hasRead && asks(lists.needs[0]) ? undefined : restored;
		// The first row is also shown in the main area; later data changes only move the cursor.
		setView(
			view,
			now =>
				(isInitial && restored && now.shown?.kind !== 'session'
					? withCursor(now, restored)
					: {...now, cursor: restored}) as typeof now,
		);
	}, [lists, view]);
	useEffect(
		() =>
			view.subscribe(({cursor, focus, page, shown, dialogs, isFiltering}) => {
				const isInFront = page === 'work' && dialogs.length === 0 && !isFiltering;
				const isUntouched = isInFront && focus === 'lists' && shown?.kind !== 'session';
				if (cursor !== initial.current || !isUntouched) initial.current = undefined;
			}),
		[view],
	);
	// Keys never act on a session that a collapsed group hides, however the cursor came to it.
	useLayoutEffect(() => {
		if (cursorId === undefined || !groupOf(lists, cursorId)?.isCollapsed) return;
		setView(view, now => ({...now, cursor: restoreCursor(lists, lists, now.cursor)}) as typeof now);
	}, [lists, view, cursorId]);
	return lists;
}

/** Keys answer it, so no other may come under the cursor. */
function asks(item: NeedsItem | undefined): boolean {
	return item?.kind === 'session' && (item.state === 'permission' || item.state === 'input');
}

function isSameRow(one: Cursor | undefined, other: Cursor | undefined): boolean {
	return one?.section === other?.section && one?.id === other?.id && one?.isComputer === other?.isComputer;
}
