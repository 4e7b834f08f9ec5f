import {useMemo} from 'react';
import {useStore} from 'zustand';
import {
	type ComputerRow,
	computerColumns,
	computerRow,
	countStates,
} from '../../state/computers/computer-columns.ts';
import type {ComputerItem, ComputerState} from '../../state/computers/computer-items.ts';
import {hasRunningStep, progressOf, stateLooks} from '../../state/computers/computer-look.ts';
import {isBlocked} from '../../state/connection.ts';
import {filterOf, setView, type View, withComputers, withTableCursor} from '../../state/view/view.ts';
import {firstFitting, type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {columnsOnScreen, fitTable, widestTexts} from '../kit/columns.ts';
import {tailRoom} from '../kit/pane.tsx';
import {filterTitle, keyed, moreBelow, noMatches, shownCount} from '../kit/strings.ts';
import {TablePane, tableChrome, tableRows, useTableWindow} from '../kit/table-pane.tsx';
import {agesChangeAt, secondAfter} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Rect} from '../layout.ts';
import {noneAdded} from '../panes/computers-pane.tsx';
import {strings as paneStrings} from '../panes/strings.ts';
import {type AppParts, useApp} from '../use-app.ts';

type Props = {
	readonly rect: Rect;
	readonly rows: readonly ComputerRow[];
	readonly cursor: number;
	readonly view: View;
	/** All computers, ignoring the filter. */
	readonly all: readonly ComputerItem[];
};

/** The computer table, one computer per row. Draws only visible rows. */
export function ComputerTablePane({rect, rows, cursor, view, all}: Props) {
	const parts = useApp();
	const cannotRead = useStore(parts.stores.connection, isBlocked);
	const isFocused = view.computers.pane === 'table';
	const counts = useMemo(() => countStates(rows), [rows]);
	const widest = useMemo(
		() =>
			widestTexts(
				computerColumns,
				all.map(item => computerRow(item)),
			),
		[all],
	);
	const window = useTableWindow(rows, cursor, tableRows(rect));
	const {top, visible} = window;
	const {order, isReversed} = view.computers;
	const width = rect.width - tableChrome;
	const columnsAt = (now: number) => {
		const context = {width, now, progressOf: ({item}: ComputerRow) => progressOf(parts, item, now)};
		const hidden = view.hiddenColumns.computers;
		return fitTable(columnsOnScreen(computerColumns, widest, context, {order, isReversed, hidden}), width);
	};
	const hasAges = columnsAt(0).some(({name}) => name === 'read');
	const now = useNow(at => nextChange(visible, hasAges, at));
	const title = [span(safe`Computers`, isFocused ? 'heading' : 'strong'), ...filterTitle(filterOf(view))];
	return (
		<TablePane
			rect={rect}
			title={title}
			right={firstFitting(summaries(counts, rows.length, all.length), tailRoom(rect.width, title))}
			bottom={moreBelow(rows.length - top - visible.length)}
			isFocused={isFocused}
			columns={columnsAt(now)}
			window={window}
			cursor={cursor}
			empty={emptyText(view, parts, cannotRead)}
			onPick={(index, isDouble) => {
				const id = index === undefined ? undefined : rows[index]?.item.id;
				const pane = isDouble && id !== undefined ? 'detail' : 'table';
				setView(parts.view, now =>
					withComputers(id === undefined ? now : withTableCursor(now, 'computers', id), {pane}),
				);
			}}
			onWheel={by =>
				setView(parts.view, now => {
					const from = rows.findIndex(({item}) => item.id === now.tableCursors.computers);
					const index = Math.max(0, Math.min(rows.length - 1, from + by));
					return withTableCursor(now, 'computers', rows[index]?.item.id);
				})
			}
		/>
	);
}

/** When a visible row next changes over time, Unix ms: a running step or an age. */
function nextChange(visible: readonly ComputerRow[], hasAges: boolean, at: number): number | undefined {
	if (visible.some(({item}) => hasRunningStep(item))) return secondAfter(at);
	const starts = hasAges ? visible.map(({item: {known}}) => known.fetchedAt) : [];
	return agesChangeAt(starts, at);
}

/**
 * The total, and how many of the shown computers need attention, longest form first: words, glyphs, or the
 * total alone.
 */
function summaries(counts: ReadonlyMap<ComputerState, number>, shown: number, all: number): readonly Line[] {
	const total = span(shownCount(shown, all), 'dim');
	const states = (['error', 'failed', 'provisioning'] as const).flatMap(state => {
		const count = counts.get(state) ?? 0;
		return count === 0 ? [] : [{count, ...stateLooks[state]}];
	});
	return [
		[
			...states.flatMap(({count, glyph, word, tone}) => [
				span(safe`${glyph} ${count} ${word}`, tone),
				span(safe`  `),
			]),
			total,
		],
		[...states.map(({count, glyph, tone}) => span(safe`${glyph} ${count}  `, tone)), total],
		[total],
	];
}

function emptyText(view: View, parts: AppParts, cannotRead: boolean): Line[] {
	const {label} = parts.keys;
	if (filterOf(view) !== '') return [noMatches(label('back'))];
	// The banner gives the reason and the remedy.
	if (cannotRead) return [[span(paneStrings.computers.noneKnown, 'dim')]];
	const none = parts.profile.host === undefined ? safe`No computers yet.` : noneAdded(parts);
	return [
		[span(none, 'dim')],
		keyed`${label('new-computer')} creates one, ${label('add')} adds an existing one by its id.`,
	];
}
