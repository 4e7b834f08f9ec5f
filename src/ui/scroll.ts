import {at, moveCursor} from '../state/cursor.ts';
import type {Lists} from '../state/lists.ts';
import {sections} from '../state/row-places.ts';
import {withCursor} from '../state/shown-item.ts';
import {scrollComputers} from './computers/scroll-computers.ts';
import {scrollEvents} from './events/scroll-events.ts';
import {halfPage, type Move, moveRow, scrolledTop} from './kit/scroll.ts';
import {layoutNow} from './layout-now.ts';
import {scrollPage} from './organization-scroll.ts';
import {computerLines} from './panes/computer-pane.tsx';
import {scrollSessions} from './sessions/sessions-now.ts';
import {setView} from './set-view.ts';
import {scrollStream} from './stream/scroll-stream.ts';
import type {AppParts} from './use-app.ts';

/** Moves within the focused pane: rows of lists, messages of the stream, lines of a computer's detail. */
export function scroll(parts: AppParts, lists: Lists, move: Move): void {
	const {page, focus, shown} = parts.view.getState();
	if (page === 'sessions') scrollSessions(parts, lists, move);
	else if (page === 'computers') scrollComputers(parts, lists, move);
	else if (page === 'events') scrollEvents(parts, lists, move);
	else if (page !== 'work') scrollPage(parts, move);
	else if (focus === 'lists') scrollLists(parts, lists, move);
	else if (shown?.kind === 'session') scrollStream(parts, move);
	else if (shown) scrollDetail(parts, lists, (top, maxTop, height) => moveRow(top, maxTop, height, move));
}

function scrollLists(parts: AppParts, lists: Lists, {kind, by}: Move): void {
	const lines = (layoutNow(parts).sessions?.height ?? 2) - 2;
	setView(parts.view, view => {
		const height = view.density === 'detailed' ? lines / 2 : lines;
		if (kind !== 'edge')
			return withCursor(view, moveCursor(lists, view.cursor, kind === 'step' ? by : by * halfPage(height)));
		const section = view.cursor?.section ?? sections[0];
		return withCursor(view, at(lists, section, by > 0 ? Number.POSITIVE_INFINITY : 0));
	});
}

/** Scrolls the computer in the Work view's main area, whatever has the focus, to the row `next` returns. */
export function scrollDetail(parts: AppParts, lists: Lists, next: Parameters<typeof scrolledTop>[3]): void {
	const {shown, detailTop} = parts.view.getState();
	const {main} = layoutNow(parts);
	const item = lists.all.computers.find(({id}) => id === shown?.id);
	if (!item || !main) return;
	const lines = computerLines(parts, item, lists.all.sessions, main, parts.ticker.now());
	const top = scrolledTop(detailTop, lines.length, main.height - 2, next);
	setView(parts.view, view => ({...view, detailTop: top}));
}
