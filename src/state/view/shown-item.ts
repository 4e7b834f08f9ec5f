import type {Subject} from '../../domain/sessions/attention.ts';
import {type Cursor, isOnComputer} from './cursor.ts';
import {neighborOf, splitAfterOpening, splitWithout, streamsOf} from './split.ts';
import {
	type Focus,
	isInLists,
	mainItem,
	replyingTo,
	type Shown,
	type View,
	withPage,
	withTableCursor,
} from './view.ts';
import {type ViewName, viewInfo} from './views.ts';

/** Moves the cursor. Shows a computer at once, but a session only when it is opened. */
export function withCursor(view: View, cursor: Cursor | undefined): View {
	if (!cursor) return view;
	if (isOnComputer(cursor) && cursor.id !== undefined)
		return {...view, cursor, ...show(view, {kind: 'computer', id: cursor.id})};
	if (view.shown?.kind !== 'computer') return {...view, cursor};
	const {shown: _, ...rest} = view;
	return view.lastSession === undefined
		? {...rest, cursor}
		: {...rest, cursor, shown: {kind: 'session', id: view.lastSession}};
}

/** Puts the cursor of the view in front on a session or computer, unless something else is open there. */
export function withSelected(view: View, {kind, id}: Subject): View {
	if (view.dialogs.length > 0) return view;
	if (viewInfo(view.page).rows === kind) return withTableCursor(view, view.page, id);
	if (view.page !== 'work' || !isInLists(view)) return view;
	return withCursor(view, {section: kind === 'session' ? 'sessions' : 'computers', id});
}

/** Opens a session or a computer in the main area. */
export function withOpened({replyTo: _, openedFrom, ...view}: View, shown: Shown, focus: Focus): View {
	const isStillOpen = view.focus !== 'lists' && openedFrom?.id === shown.id;
	const from = view.page !== 'work' ? {page: view.page, id: shown.id} : isStillOpen ? openedFrom : undefined;
	return {
		...view,
		...(from && {openedFrom: from}),
		...show(view, shown),
		page: 'work',
		focus,
		...(shown.kind === 'session' && {lastSession: shown.id, split: splitAfterOpening(view, shown.id)}),
	};
}

/** The view that Escape leads back to, if the open item was opened there. */
export function viewBehind(view: View): ViewName | undefined {
	const {focus, openedFrom} = view;
	const isOpen = focus !== 'lists' && openedFrom !== undefined && openedFrom.id === mainItem(view)?.id;
	return isOpen ? openedFrom.page : undefined;
}

/** Leaves the open item for the lists, or for the view where it was opened. */
export function withLeft(view: View): View {
	return {...withPage(view, viewBehind(view) ?? view.page), focus: 'lists'};
}

function show(view: View, shown: Shown): Partial<View> {
	const isSame = view.shown?.kind === shown.kind && view.shown.id === shown.id;
	return isSame ? {} : {shown, scrollStates: scrollOnOpening(view, shown)};
}

/** A session that isn't on the screen opens where the reader was before a search that is over, unless they read on. */
function scrollOnOpening(view: View, {id}: Shown): View['scrollStates'] {
	const {scrollStates, find} = view;
	const scroll = scrollStates.get(id);
	const isOnScreen = streamsOf(view).includes(id);
	if (!scroll || scroll.isFollowing || !scroll.beforeFind || isOnScreen || find?.sessionId === id)
		return scrollStates;
	return new Map(scrollStates).set(id, scroll.beforeFind);
}

/** Removes a forgotten item from the screen. */
export function withoutShown(view: View, id: string): View {
	const beside =
		view.lastSession === id ? (neighborOf(view.split, id, -1) ?? neighborOf(view.split, id, 1)) : undefined;
	const isClosed = view.shown?.id === id && beside === undefined;
	const {shown, lastSession, ...rest} = isClosed && replyingTo(view) === undefined ? withLeft(view) : view;
	const last = lastSession === id ? beside : lastSession;
	const next =
		shown?.id !== id ? shown : beside === undefined ? undefined : {kind: 'session' as const, id: beside};
	return {
		...rest,
		split: splitWithout(view.split, id),
		...(next && {shown: next}),
		...(last !== undefined && {lastSession: last}),
	};
}
