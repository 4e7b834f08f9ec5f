import type {OutboxItem} from '../../domain/messages/delivery.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {rowIndex} from '../../state/rows/table-rows.ts';
import type {SessionRow} from '../../state/sessions/session-columns.ts';
import type {Stores} from '../../state/stores.ts';
import {filterOf, setView, type View, withTableCursor} from '../../state/view/view.ts';
import {type Move, moveRow} from '../kit/scroll.ts';
import {tableRows} from '../kit/table-pane.tsx';
import {bodyOf, type Layout, type Rect, seamOf} from '../layout.ts';
import {composerRows, layoutNow} from '../layout-now.ts';
import type {AppParts} from '../use-app.ts';

/** The Sessions view as drawn: its rows, the cursor's index, and the rectangles of the table and the composer. */
type SessionsNow = {
	readonly rows: readonly SessionRow[];
	readonly cursor: number;
	readonly table: Rect;
	readonly composer?: Rect;
};

/** Rows of text that the composer may always have, and rows that the table always keeps. */
const minComposerRows = 3;
const minTableRows = 5;

/**
 * The Sessions view, for drawing and keys alike. `lastCursor`: the index the cursor had, which it
 * keeps when its session is gone.
 */
export function sessionsNow(
	parts: AppParts,
	view: View,
	lists: Lists,
	layout: Pick<Layout, 'columns' | 'rows' | 'banner' | 'isScreenReader'>,
	lastCursor = 0,
): SessionsNow {
	const {writing} = view.sessions;
	const rows = sessionRowsNow(parts, view, lists);
	const body = bodyOf(layout);
	const base = {rows, cursor: rowIndex(rows, view.tableCursors.sessions, lastCursor)};
	if (!writing) return {...base, table: body};
	const composer = parts.composers.getState().bySession.get(writing.composerId);
	const max = Math.max(minComposerRows, Math.floor(body.height / 3));
	const wanted = Math.min(composerRows(composer, body.width), max) + 2;
	const height = Math.min(wanted, body.height - minTableRows);
	return {
		...base,
		table: {...body, height: body.height - height + seamOf(layout)},
		composer: {...body, y: body.y + body.height - height, height},
	};
}

export function sessionRowsNow(parts: AppParts, view: View, lists: Lists) {
	const {order, isReversed} = view.sessions;
	const query = {words: filterOf(view, 'sessions'), order, isReversed, showsArchived: view.showsArchived};
	return parts.caches.sessions(lists.all, query, parts.listBuilder.filterables);
}

export function scrollSessions(parts: AppParts, lists: Lists, move: Move): void {
	const {rows, cursor, table} = sessionsNow(parts, parts.view.getState(), lists, layoutNow(parts));
	if (rows.length === 0) return;
	const index = moveRow(cursor, rows.length - 1, tableRows(table), move);
	setView(parts.view, now => withTableCursor(now, 'sessions', rows[index]?.item.id));
}

/** The message sent to a session from the table, as long as the outbox has it. */
export function deliveryTo(stores: Stores, view: View, sessionId: string): OutboxItem | undefined {
	const id = view.sessions.deliveries.get(sessionId);
	return outboxOf(stores, sessionId).find(item => item.id === id);
}

/** The message to resend or take back: one that waits for the user's decision, or the one sent from the table. */
export function outgoingTo(
	stores: Stores,
	view: View,
	sessionId: string | undefined,
): OutboxItem | undefined {
	if (sessionId === undefined) return undefined;
	const unsettled = ({state}: OutboxItem) => state === 'failed' || state === 'unconfirmed';
	const sent = deliveryTo(stores, view, sessionId);
	return sent && unsettled(sent) ? sent : (outboxOf(stores, sessionId).find(unsettled) ?? sent);
}

function outboxOf(stores: Stores, sessionId: string): readonly OutboxItem[] {
	return stores.outbox.getState().bySession.get(sessionId) ?? [];
}
