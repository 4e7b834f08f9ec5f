import {useEffect, useRef} from 'react';
import {useStore} from 'zustand';
import type {Lists} from '../../state/lists/lists.ts';
import type {Stores} from '../../state/stores.ts';
import {setView, type View, withComputers, withTableCursor} from '../../state/view/view.ts';
import {Tiling} from '../kit/tiling.ts';
import type {Layout} from '../layout.ts';
import {useDivider} from '../mouse/use-divider.ts';
import {ComputerPane} from '../panes/computer-pane.tsx';
import {type AppParts, useApp} from '../use-app.ts';
import {ComputerTablePane} from './computer-table-pane.tsx';
import {type ComputersNow, computersNow} from './computers-now.ts';

type Props = {readonly layout: Layout; readonly lists: Lists; readonly view: View};

/**
 * The Computers view: a table of all computers, and the selected one's detail with each provisioning step.
 */
export function ComputersView({layout, lists, view}: Props) {
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
					sessions={lists.all.sessions}
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
