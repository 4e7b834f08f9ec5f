import {withComputers} from '../../state/view.ts';
import {type Move, moveRow} from '../kit/scroll.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';

/** Moves the table's cursor, or scrolls the detail when it has the focus. Uses the last frame's sizes. */
export function scrollComputers(parts: AppParts, move: Move): void {
	const {computers, detail} = parts.sizes;
	if (parts.view.getState().computers.pane === 'detail') {
		scrollComputerDetail(parts, top =>
			moveRow(top, Math.max(0, detail.rows - detail.height), detail.height, move),
		);
	} else if (computers && computers.rows.length > 0) {
		const index = moveRow(computers.cursor, computers.rows.length - 1, computers.height, move);
		const cursor = computers.rows[index]?.item.id;
		setView(parts.view, view => withComputers(view, {cursor, top: 0}));
	}
}

/** Scrolls the computer detail, focused or not, to the row `next` returns, clamped to its lines. */
export function scrollComputerDetail({sizes: {detail}, view}: AppParts, next: (top: number) => number): void {
	const maxTop = Math.max(0, detail.rows - detail.height);
	setView(view, now => {
		const top = next(Math.min(maxTop, now.computers.top));
		return withComputers(now, {top: Math.max(0, Math.min(maxTop, top))});
	});
}
