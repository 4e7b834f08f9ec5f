import {type Subject, subjectKey} from '../../domain/sessions/attention.ts';
import {inboxItems, type Lists} from '../lists/lists.ts';
import {type Cursor, cursorOn, isOnComputer, positionOf} from './cursor.ts';
import {inboxOn, withTop} from './dialogs.ts';
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
import {type ViewName, viewInfo} from './view-states.ts';

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
		openedFrom: from,
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
		shown: next,
		lastSession: last,
	};
}

/** Maximum number of streams side by side. */
export const maxSplit = 4;

/** Sessions to show side by side, left to right; a single one without a split. */
export function streamsOf({shown, split}: View): readonly string[] {
	if (shown?.kind !== 'session') return [];
	return split.includes(shown.id) ? split : [shown.id];
}

/** The split after a session is opened: it replaces the focused one unless it is already in the split. */
export function splitAfterOpening(view: View, id: string): readonly string[] {
	const {split, lastSession} = view;
	if (split.length === 0 || split.includes(id)) return split;
	return split.map(one => (one === lastSession ? id : one));
}

/** Adds a session next to the focused one; unchanged if it is already there or the split is full. */
export function splitWith(view: View, id: string): readonly string[] {
	const {split, lastSession} = view;
	if (lastSession === undefined || lastSession === id) return split;
	const now = split.length === 0 ? [lastSession] : split;
	if (now.includes(id) || now.length >= maxSplit) return split;
	return now.toSpliced(now.indexOf(lastSession) + 1, 0, id);
}

/** Removes a session; a single remaining session is not a split. */
export function splitWithout(split: readonly string[], id: string): readonly string[] {
	if (!split.includes(id)) return split;
	const left = split.filter(one => one !== id);
	return left.length > 1 ? left : [];
}

/** Moves a session one place left or right, wrapping around. */
export function splitMoved(split: readonly string[], id: string, by: 1 | -1): readonly string[] {
	const index = split.indexOf(id);
	if (index < 0) return split;
	return split.toSpliced(index, 1).toSpliced((index + by + split.length) % split.length, 0, id);
}

/** The neighbor of a session in the split, wrapping around. */
export function neighborOf(split: readonly string[], id: string, by: 1 | -1): string | undefined {
	const index = split.indexOf(id);
	return index < 0 ? undefined : split[(index + by + split.length) % split.length];
}

/**
 * Moves the cursor from a session or computer to the next one that needs the user, before it leaves the inbox
 * or the list, so that one key handles them all.
 */
export function withNextWaiting(view: View, lists: Lists, subject: Subject): View {
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'inbox') {
		const waiting = inboxItems(lists.all).filter(item => !item.mark);
		const index = waiting.findIndex(item => subjectKey(item) === subjectKey(subject));
		const next = beside(waiting, index);
		return next === undefined ? view : withTop(view, inboxOn(next));
	}
	if (dialog || view.focus !== 'lists' || view.cursor?.id !== subject.id) return view;
	const position = positionOf(lists, view.cursor);
	const next = position?.section === 'needs' ? beside(lists.needs, position.index) : undefined;
	return next === undefined ? view : withCursor(view, cursorOn('needs', next));
}

/** The row after `index`, or the one before it at the end. */
function beside<Row>(rows: readonly Row[], index: number): Row | undefined {
	return index < 0 ? undefined : (rows[index + 1] ?? rows[index - 1]);
}
