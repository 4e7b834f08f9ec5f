import {notify} from '../../actions/notify.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {type Section, sections} from '../../state/lists/row-positions.ts';
import {cursorAt, moveCursor} from '../../state/view/cursor.ts';
import {withCursor} from '../../state/view/shown-item.ts';
import {targets} from '../../state/view/targets.ts';
import {mainItem, setView} from '../../state/view/view.ts';
import {halfPage, type Move, moveRow} from '../kit/scroll.ts';
import {layoutNow} from '../layout-now.ts';
import {scrollComputer} from '../panes/computer-pane.tsx';
import {scrollStream} from '../stream/scroll-stream.ts';
import {currentStream} from '../stream/stream-now.ts';
import type {AppParts} from '../use-app.ts';

/** Moves within the focused pane: rows of lists, messages of the stream, lines of a computer's detail. */
export function scrollWork(parts: AppParts, lists: Lists, move: Move): void {
	const {focus, shown} = parts.view.getState();
	if (focus === 'lists') scrollLists(parts, lists, move);
	else if (shown?.kind === 'session') scrollStream(parts, move);
	else {
		const {main} = layoutNow(parts);
		const item = lists.all.computers.find(({id}) => id === shown?.id);
		if (item && main)
			scrollComputer(parts, item, main, (top, maxTop, height) => moveRow(top, maxTop, height, move));
	}
}

/** Moves through the messages of the composer's session, while the composer keeps the focus. */
export function scrollMessages(parts: AppParts, move: Move): void {
	const view = parts.view.getState();
	const isShown = mainItem(view) && currentStream(parts)?.sessionId === targets(view).sessionId;
	if (isShown) scrollStream(parts, move);
	else notify(parts.actions, 'info', "This session's messages aren't on the screen");
}

function scrollLists(parts: AppParts, lists: Lists, {kind, by}: Move): void {
	const {needs, sessions} = layoutNow(parts);
	const lines = (sessions?.height ?? 2) - 2;
	setView(parts.view, view => {
		const height = view.density === 'detailed' ? lines / 2 : lines;
		if (kind !== 'edge')
			return withCursor(view, moveCursor(lists, view.cursor, kind === 'step' ? by : by * halfPage(height)));
		const section = view.cursor?.section ?? sections[0];
		// Without a pane of its own, Needs you shares the pane with the sessions.
		const inPane: readonly Section[] = section === 'computers' || needs ? [section] : ['needs', 'sessions'];
		const edges = inPane.map(one => cursorAt(lists, one, by > 0 ? Number.POSITIVE_INFINITY : 0));
		const rows = edges.filter(({id, group}) => (id ?? group) !== undefined);
		return withCursor(view, rows.at(by > 0 ? -1 : 0) ?? {section});
	});
}
