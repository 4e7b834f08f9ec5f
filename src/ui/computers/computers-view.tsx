import {useEffect, useRef} from 'react';
import {useStore} from 'zustand';
import {completeFilter} from '../../domain/list-filter/complete-filter.ts';
import {computerColumns, computersFilter} from '../../state/computers/computer-columns.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {fieldsOf} from '../../state/rows/column.ts';
import type {Stores} from '../../state/stores.ts';
import {filterOf, setView, type View, withComputers, withTableCursor} from '../../state/view/view.ts';
import {type Move, moveRow} from '../kit/scroll.ts';
import {tableRows} from '../kit/table-pane.tsx';
import {Tiling} from '../kit/tiling.ts';
import type {Layout} from '../layout.ts';
import {layoutNow} from '../layout-now.ts';
import {useDivider} from '../mouse/use-divider.ts';
import {ComputerPane, scrollComputer} from '../panes/computer-pane.tsx';
import type {PageProps, ScreenPage} from '../screen-page.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {leaveComputers} from './computer-bindings.ts';
import {ComputerTablePane} from './computer-table-pane.tsx';
import {type ComputersNow, computersNow} from './computers-now.ts';

/** The Computers view: a table of all computers, and the selected one's detail with each provisioning step. */
function ComputersView({layout, lists, view}: PageProps) {
	const parts = useApp();
	const {pane} = view.computers;
	const {rows, cursor, table, detail} = useComputers(parts, layout, lists, view);
	const item = rows[cursor]?.item;
	useDivider('computers', layout, detail && table);
	const tiles = Object.entries({table, detail}).flatMap(([name, rect]) =>
		rect ? [{rect, isFocused: pane === name}] : [],
	);
	return (
		<Tiling value={tiles}>
			{table && (
				<ComputerTablePane rect={table} rows={rows} cursor={cursor} view={view} all={lists.all.computers} />
			)}
			{detail && item && (
				<ComputerPane
					key={item.id}
					rect={detail}
					item={item}
					isFocused={pane === 'detail'}
					view={view}
					onPress={() => setView(parts.view, now => withComputers(now, {pane: 'detail'}))}
				/>
			)}
		</Tiling>
	);
}

/** Whether the fleet store has a computer that this frame's lists don't include yet. */
function isPending(stores: Stores, {all}: Lists, id: string | undefined): boolean {
	return (
		id !== undefined && stores.fleet.getState().computers.has(id) && !all.computers.some(one => one.id === id)
	);
}

/** Keeps the cursor on its computer as rows change, and its computer watched. */
function useComputers(parts: AppParts, layout: Layout, lists: Lists, view: View): ComputersNow {
	const {computers: id} = view.tableCursors;
	useStore(parts.stores.fleet, fleet => fleet.problems);
	const lastCursor = useRef(0);
	const now = computersNow(parts, view, lists, layout, lastCursor.current);
	const {rows, cursor} = now;
	const current = rows[cursor]?.item.id;
	useEffect(() => {
		// A computer created or restored a moment ago appears in a later frame.
		if (isPending(parts.stores, lists, id)) return;
		lastCursor.current = cursor;
		if (current !== id) setView(parts.view, view => withTableCursor(view, 'computers', current));
	}, [parts, lists, cursor, current, id]);
	useEffect(
		() => (current === undefined ? undefined : parts.actions.engine.computers.watch(current)),
		[parts.actions.engine, current],
	);
	return now;
}

export const computersPage: ScreenPage = {
	Component: ComputersView,
	contexts: ({computers}) => [computers.pane === 'table' ? 'computers' : 'computer', 'computer-table'],
	scroll: scrollComputers,
	back: ({view}) => leaveComputers(view),
	nextPane: ({view}) =>
		setView(view, now => withComputers(now, {pane: now.computers.pane === 'table' ? 'detail' : 'table'})),
	beforeDivider(parts, view, lists, layout) {
		const {table, detail} = computersNow(parts, view, lists, layout);
		return detail && table;
	},
	filter: {
		choices({listBuilder: {filterables}}, view, {all}) {
			const rows = all.computers.map(item => ({row: filterables.computer(item)}));
			return completeFilter(filterOf(view), rows, false, fieldsOf(computerColumns));
		},
		problems: (view, {all}) => (view.isFiltering ? computersFilter(all, filterOf(view)).problems : []),
	},
	computer(_, {tableCursors: {computers: id}, computers: {pane}}) {
		return id === undefined ? undefined : {id, isFocused: pane === 'detail'};
	},
};

/** Moves the table's cursor, or scrolls the detail when it has the focus. */
function scrollComputers(parts: AppParts, lists: Lists, move: Move): void {
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
