import {useMemo} from 'react';
import type {ComputerState} from '../../state/computer-condition.ts';
import type {ComputerItem} from '../../state/computer-items.ts';
import {type ComputerRow, countStates} from '../../state/computer-rows.ts';
import type {ComputersReading} from '../../state/reading.ts';
import {withComputers} from '../../state/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {firstFitting} from '../kit/columns.ts';
import {tailRoom} from '../kit/frame.ts';
import {moreBelow} from '../kit/strings.ts';
import {TablePane, tableChrome, tableRows, useTableWindow} from '../kit/table-pane.tsx';
import {ageChangesAt, nextBeat, secondAfter} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Rect} from '../layout.ts';
import {isMoving, progressOf, stateLooks} from '../looks/computer-look.ts';
import {strings as paneStrings} from '../panes/strings.ts';
import {setView} from '../set-view.ts';
import {type Parts, useApp} from '../use-app.ts';
import {computerColumns, showsAges, wholesOf} from './computer-columns.ts';
import {strings} from './strings.ts';

type Props = {
	readonly rect: Rect;
	readonly rows: readonly ComputerRow[];
	/** Index of the cursor's row. */
	readonly cursor: number;
	readonly reading: ComputersReading;
	/** All computers, ignoring the filter. */
	readonly all: readonly ComputerItem[];
};

/** The computer table, one computer per row. Draws only visible rows. */
export function ComputerTablePane({rect, rows, cursor, reading, all}: Props) {
	const parts = useApp();
	const isFocused = reading.pane === 'table';
	const known = all.length;
	const counts = useMemo(() => countStates(rows), [rows]);
	const wholes = useMemo(() => wholesOf(all), [all]);
	const window = useTableWindow(rows, cursor, tableRows(rect));
	const {top, visible} = window;
	const {order, isReversed} = reading;
	const size = {width: rect.width - tableChrome, wholes, order, isReversed};
	const now = useNow(at => nextChange(visible, showsAges(size), at));
	const title = [span(strings.title, isFocused ? 'heading' : 'strong'), ...filterWords(reading)];
	return (
		<TablePane
			rect={rect}
			title={title}
			right={firstFitting(summaries(counts, rows.length, known), tailRoom(rect.width, title))}
			bottom={moreBelow(rows.length - top - visible.length)}
			isFocused={isFocused}
			columns={computerColumns({...size, now, progressOf: ({item}) => progressOf(parts, item, now)})}
			window={window}
			cursor={cursor}
			empty={emptyText(reading, known, parts)}
			onPick={(index, isDouble) => {
				const id = index === undefined ? undefined : rows[index]?.item.id;
				setView(parts.view, view =>
					withComputers(view, {
						pane: 'table',
						...(id !== undefined && id !== view.computers.cursor && {cursor: id, top: 0}),
					}),
				);
				if (isDouble && id !== undefined) setView(parts.view, view => withComputers(view, {pane: 'detail'}));
			}}
			onWheel={by =>
				setView(parts.view, view => {
					const from = rows.findIndex(({item}) => item.id === view.computers.cursor);
					const index = Math.max(0, Math.min(rows.length - 1, from + by));
					return withComputers(view, {cursor: rows[index]?.item.id, top: 0});
				})
			}
		/>
	);
}

/** When a visible row next changes over time, Unix ms: a running step or an age. */
function nextChange(visible: readonly ComputerRow[], hasAges: boolean, at: number): number | undefined {
	if (visible.some(({item}) => isMoving(item))) return secondAfter(at);
	if (!hasAges) return undefined;
	const ages = visible.flatMap(({item: {known}}) =>
		known.fetchedAt === undefined ? [] : [ageChangesAt(known.fetchedAt, at)],
	);
	return ages.length === 0 ? undefined : nextBeat(Math.min(...ages));
}

function filterWords({words}: ComputersReading): Line {
	return words === ''
		? []
		: [span(safe` · `, 'border'), span(strings.filter(cleanLine(words, 60)), 'accent')];
}

/**
 * The total, and how many of the shown computers need attention, longest form first: words, glyphs, or the
 * total alone.
 */
function summaries(
	counts: ReadonlyMap<ComputerState, number>,
	shown: number,
	known: number,
): readonly Line[] {
	const total = span(strings.shown(shown, known), 'dim');
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

function emptyText(
	{words}: ComputersReading,
	known: number,
	{keys: {label}, profile: {host}}: Parts<'keys' | 'profile'>,
): Line[] {
	if (words !== '' && known > 0) return [strings.noMatches(label('back'))];
	const none = host === undefined ? strings.none : paneStrings.computers.cannotList;
	return [[span(none, 'dim')], strings.create(label('new-computer'), label('add'))];
}
