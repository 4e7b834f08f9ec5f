import type {Lists} from '../../state/lists/lists.ts';
import {setView, withTableCursor} from '../../state/view/view.ts';
import {type Move, moveRow} from '../kit/scroll.ts';
import {tableRows} from '../kit/table-pane.tsx';
import {layoutNow} from '../layout-now.ts';
import {scrollComputer} from '../panes/computer-pane.tsx';
import type {AppParts} from '../use-app.ts';
import {computersNow} from './computers-now.ts';

/** Moves the table's cursor, or scrolls the detail when it has the focus. */
export function scrollComputers(parts: AppParts, lists: Lists, move: Move): void {
	const view = parts.view.getState();
	const {rows, cursor, table, detail} = computersNow(parts, view, lists, layoutNow(parts));
	const item = rows[cursor]?.item;
	if (!item) return;
	if (view.computers.pane === 'table') {
		if (!table) return;
		const index = moveRow(cursor, rows.length - 1, tableRows(table), move);
		setView(parts.view, now => withTableCursor(now, 'computers', rows[index]?.item.id));
	} else if (detail) {
		scrollComputer(parts, item, detail, (top, maxTop, height) => moveRow(top, maxTop, height, move));
	}
}
