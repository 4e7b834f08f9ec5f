import type {Lists} from '../../state/lists/lists.ts';
import {setView, withComputers} from '../../state/view/view.ts';
import {type Move, moveRow, scrolledTop} from '../kit/scroll.ts';
import {tableRows} from '../kit/table-pane.tsx';
import {layoutNow} from '../layout-now.ts';
import {computerLines} from '../panes/computer-pane.tsx';
import type {AppParts} from '../use-app.ts';
import {computersNow} from './computers-now.ts';

/** Moves the table's cursor, or scrolls the detail when it has the focus. */
export function scrollComputers(parts: AppParts, lists: Lists, move: Move): void {
	const view = parts.view.getState();
	if (view.computers.pane === 'detail') {
		scrollComputerDetail(parts, lists, (top, maxTop, height) => moveRow(top, maxTop, height, move));
		return;
	}
	const {rows, cursor, table} = computersNow(parts, view, lists, layoutNow(parts));
	if (!table || rows.length === 0) return;
	const index = moveRow(cursor, rows.length - 1, tableRows(table), move);
	setView(parts.view, now => withComputers(now, {cursor: rows[index]?.item.id, top: 0}));
}

/** Scrolls the computer detail, focused or not, to the row `next` returns, clamped to its lines. */
export function scrollComputerDetail(
	parts: AppParts,
	lists: Lists,
	next: (top: number, maxTop: number, height: number) => number,
): void {
	const view = parts.view.getState();
	const {rows, cursor, detail} = computersNow(parts, view, lists, layoutNow(parts));
	const item = rows[cursor]?.item;
	if (!item || !detail) return;
	const lines = computerLines(parts, item, lists.all.sessions, detail, parts.ticker.now());
	const top = scrolledTop(view.computers.top, lines.length, detail.height - 2, next);
	setView(parts.view, now => withComputers(now, {top}));
}
