import {type View, withSessions} from '../view/view.ts';
import type {SessionsViewState} from '../view/view-states.ts';
import type {SessionRow} from './session-columns.ts';
import type {SessionItem} from './session-items.ts';

type Known = ReadonlyMap<string, SessionItem>;

/** The marked sessions that still exist, in the order they were marked. */
function markedSessions({marked}: Pick<SessionsViewState, 'marked'>, known: Known): SessionItem[] {
	return [...marked].flatMap(id => known.get(id) ?? []);
}

/**
 * The sessions that an action applies to: the marked ones that still exist or, if none was marked, the one at the
 * cursor.
 */
export function sessionsToActOn(view: View, known: Known) {
	if (view.sessions.marked.size > 0) return markedSessions(view.sessions, known);
	const item = known.get(view.tableCursors.sessions ?? '');
	return item ? [item] : [];
}

/** Marks a session, or takes its mark off. */
export function withMark(marked: ReadonlySet<string>, id: string): ReadonlySet<string> {
	const next = new Set(marked);
	if (!next.delete(id)) next.add(id);
	return next;
}

/** Marks all rows that are shown; if they all are marked, takes those marks off. Others keep theirs. */
export function withAllMarks(
	marked: ReadonlySet<string>,
	rows: readonly Pick<SessionRow, 'item'>[],
): ReadonlySet<string> {
	const ids = rows.map(({item}) => item.id);
	const isAll = ids.every(id => marked.has(id));
	return isAll ? withoutMarks(marked, ids) : new Set([...marked, ...ids]);
}

function withoutMarks(marked: ReadonlySet<string>, ids: Iterable<string>): ReadonlySet<string> {
	const next = new Set(marked);
	for (const id of ids) next.delete(id);
	return next;
}

/** The view after an action was done for these sessions: only those that it failed for stay marked. */
export function unmarked(view: View, ids: Iterable<string>): View {
	return withSessions(view, {marked: withoutMarks(view.sessions.marked, ids)});
}

/** How many sessions are marked, and how many of them the filter or the archive hides. */
export function countMarked(
	viewState: Pick<SessionsViewState, 'marked'>,
	rows: readonly Pick<SessionRow, 'item'>[],
	known: Known,
): {readonly marked: number; readonly hidden: number} {
	if (viewState.marked.size === 0) return {marked: 0, hidden: 0};
	const shown = rows.reduce((count, {item}) => count + (viewState.marked.has(item.id) ? 1 : 0), 0);
	const marked = markedSessions(viewState, known).length;
	return {marked, hidden: marked - shown};
}
