import {useEffect, useMemo, useRef} from 'react';
import {useStore} from 'zustand';
import {computerRows, rowIndex} from '../../state/computer-rows.ts';
import type {Lists} from '../../state/lists.ts';
import type {ComputersReading} from '../../state/reading.ts';
import {type View, withComputers} from '../../state/view.ts';
import {progressOf} from '../kit/bar.ts';
import {type Layout, leftWidth, type Rect, topHeight} from '../layout.ts';
import {useDivider} from '../mouse/use-divider.ts';
import {ComputerPane} from '../panes/computer-pane.tsx';
import {setView} from '../set-view.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {ComputerTablePane} from './computer-table-pane.tsx';
import {scrollComputerDetail} from './scroll-computers.ts';

/**
 * Rectangles of the Computers view: the table and, beside or below it, the selected computer's detail; or
 * only one of the two.
 */
export type ComputersLayout = {readonly table?: Rect; readonly detail?: Rect};

const besideFrom = 100;
const detailWidth = {share: 0.38, min: 46, max: 66} as const;
/** Smallest screen on which the detail fits below the table. */
const underFrom = {columns: 60, rows: 20} as const;
const tableShare = 0.42;
const tableMin = 7;

/** Lays out the Computers view. A `pane` of `empty` means no computer is selected. */
export function computersLayout(
	{columns, rows}: Pick<Layout, 'columns' | 'rows'>,
	pane: ComputersReading['pane'] | 'empty',
	share?: number,
	heightShare?: number,
): ComputersLayout {
	const body = {x: 0, y: 1, width: columns, height: rows - 2};
	if (pane === 'empty') return {table: body};
	if (columns >= besideFrom) {
		const {min, max} = detailWidth;
		const usual = columns - Math.max(min, Math.min(max, Math.round(columns * detailWidth.share)));
		const left = leftWidth(columns, share) ?? usual;
		const width = columns - left;
		return {
			table: {...body, width: columns - width},
			detail: {...body, x: columns - width, width},
		};
	}
	if (columns >= underFrom.columns && rows >= underFrom.rows) {
		const height =
			topHeight(body.height, heightShare) ?? Math.max(tableMin, Math.round(body.height * tableShare));
		return {
			table: {...body, height},
			detail: {...body, y: body.y + height, height: body.height - height},
		};
	}
	return pane === 'table' ? {table: body} : {detail: body};
}

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
