import {useEffect, useMemo, useRef} from 'react';
import {useStore} from 'zustand';
import {computerRows, rowIndex} from '../../state/computer-rows.ts';
import type {Lists} from '../../state/lists.ts';
import {type View, withComputers} from '../../state/view.ts';
import {progressOf} from '../kit/progress-of.ts';
import type {Layout} from '../layout.ts';
import {useDivider} from '../mouse/use-divider.ts';
import {ComputerPane} from '../panes/computer-pane.tsx';
import {setView} from '../set-view.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {ComputerTablePane} from './computer-table-pane.tsx';
import {computersLayout} from './computers-layout.ts';
import {scrollComputerDetail} from './scroll-computers.ts';

type Props = {readonly layout: Layout; readonly lists: Lists; readonly view: View};

/**
 * The Computers view: a table of all computers, and the selected one's detail with each provisioning step.
 */
export function ComputersView({layout, lists, view}: Props) {
	const parts = useApp();
	const {computers: reading} = view;
	const {rows, cursor} = useRows(parts, lists, view);
	const item = rows[cursor]?.item;
	const pane = item ? reading.pane : 'empty';
	const {table, detail} = computersLayout(layout, pane, view.shares.computers, view.heights.computers);
	useDivider('computers', layout, detail && table);
	return (
		<>
			{table && (
				<ComputerTablePane
					rect={table}
					rows={rows}
					cursor={cursor}
					reading={reading}
					all={lists.all.computers}
				/>
			)}
			{detail && item && (
				<ComputerPane
					key={item.id}
					rect={detail}
					item={item}
					sessions={lists.all.sessions}
					isFocused={reading.pane === 'detail'}
					top={reading.top}
					onPress={() => setView(parts.view, now => withComputers(now, {pane: 'detail'}))}
					onWheel={rows => scrollComputerDetail(parts, top => top + rows)}
				/>
			)}
		</>
	);
}

/** Whether the fleet store has a computer that this frame's lists don't include yet. */
function isComing({stores}: AppParts, {all}: Lists, id: string | undefined): boolean {
	return (
		id !== undefined && stores.fleet.getState().computers.has(id) && !all.computers.some(one => one.id === id)
	);
}

/** The sorted rows, and the cursor's index. The cursor stays on its computer as rows change. */
function useRows(parts: AppParts, lists: Lists, {computers: reading}: View) {
	const {words, order, isReversed, cursor: id} = reading;
	const problems = useStore(parts.stores.fleet, fleet => fleet.problems);
	const rows = useMemo(
		() =>
			computerRows(
				lists.all,
				{words, order, isReversed},
				{
					elapsed: item => progressOf(parts, item, parts.ticker.now()).elapsed,
					filterables: parts.listBuilder.filterables,
					problems,
				},
			),
		[lists.all, words, order, isReversed, problems, parts],
	);
	const before = useRef(0);
	const cursor = rowIndex(rows, id, before.current);
	const current = rows[cursor]?.item.id;
	useEffect(() => {
		// A computer created or restored a moment ago appears in a later frame.
		if (isComing(parts, lists, id)) return;
		before.current = cursor;
		if (current !== id) setView(parts.view, view => withComputers(view, {cursor: current, top: 0}));
	}, [parts, lists, cursor, current, id]);
	useEffect(
		() => (current === undefined ? undefined : parts.actions.engine.watchComputer(current)),
		[parts.actions.engine, current],
	);
	return {rows, cursor};
}
