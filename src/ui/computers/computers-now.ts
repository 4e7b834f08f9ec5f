import type {ComputerRow} from '../../state/computers/computer-columns.ts';
import {progressOf} from '../../state/computers/computer-look.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {rowIndex} from '../../state/rows/table-rows.ts';
import {filterOf, type View} from '../../state/view/view.ts';
import type {ComputersViewState} from '../../state/view/view-states.ts';
import {bodyOf, type Layout, leftWidth, type Rect, seamOf, topHeight} from '../layout.ts';
import type {AppParts} from '../use-app.ts';

/**
 * Rectangles of the Computers view: the table and, beside or below it, the selected computer's detail; or
 * only one of the two.
 */
export type ComputersLayout = {readonly table?: Rect; readonly detail?: Rect};

/** Minimum columns of the screen for the detail beside the table. */
const minBesideColumns = 100;
const detailWidth = {share: 0.45, min: 46, max: 72} as const;
/** Minimum screen for the detail below the table. */
const minBelow = {columns: 60, rows: 20} as const;
const tableShare = 0.42;
const minTableRows = 7;

/** Lays out the Computers view. A `pane` of `empty` means no computer is selected. */
export function computersLayout(
	screen: Pick<Layout, 'columns' | 'rows' | 'banner' | 'isScreenReader'>,
	pane: ComputersViewState['pane'] | 'empty',
	share?: number,
	heightShare?: number,
): ComputersLayout {
	const {columns, rows} = screen;
	const body = bodyOf(screen);
	if (pane === 'empty') return {table: body};
	const seam = seamOf(screen);
	if (columns >= minBesideColumns) {
		const {min, max} = detailWidth;
		const usual = columns - Math.max(min, Math.min(max, Math.round(columns * detailWidth.share)));
		const left = leftWidth(columns, share) ?? usual;
		return {
			table: {...body, width: left},
			detail: {...body, x: left - seam, width: columns - left + seam},
		};
	}
	if (columns >= minBelow.columns && rows >= minBelow.rows) {
		const height =
			topHeight(body.height, heightShare) ?? Math.max(minTableRows, Math.round(body.height * tableShare));
		return {
			table: {...body, height},
			detail: {...body, y: body.y + height - seam, height: body.height - height + seam},
		};
	}
	return pane === 'table' ? {table: body} : {detail: body};
}

/** The rows of the table, the cursor's, and the rectangles that they are drawn in. */
export type ComputersNow = ComputersLayout & {readonly rows: readonly ComputerRow[]; readonly cursor: number};

/**
 * The Computers view as drawing and keys see it. `lastCursor` is the index the cursor had, which it keeps when
 * its computer is gone.
 */
export function computersNow(
	parts: AppParts,
	view: View,
	lists: Lists,
	layout: Layout,
	lastCursor = 0,
): ComputersNow {
	const {shares, heights} = view;
	const {order, isReversed} = view.computers;
	const query = {words: filterOf(view, 'computers'), order, isReversed};
	const rows = parts.caches.computers(lists.all, query, {
		elapsed: item => progressOf(parts, item, parts.ticker.now()).elapsed,
		filterables: parts.listBuilder.filterables,
		problems: parts.stores.fleet.getState().problems,
	});
	const cursor = rowIndex(rows, view.tableCursors.computers, lastCursor);
	const pane = rows[cursor] ? view.computers.pane : 'empty';
	return {rows, cursor, ...computersLayout(layout, pane, shares.computers, heights.computers)};
}
