import {useMemo, useRef} from 'react';
import type {KeyMap} from '../../keys/key-map.ts';
import type {ComputerState} from '../../state/computer-condition.ts';
import type {ComputerItem} from '../../state/computer-items.ts';
import {type ComputerRow, countStates} from '../../state/computer-rows.ts';
import type {ComputersReading} from '../../state/reading.ts';
import {withComputers} from '../../state/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {firstFitting, tableHeading, tableRow} from '../kit/columns.ts';
import {type Row, tailRoom} from '../kit/frame.ts';
import {listTop} from '../kit/list-window.ts';
import {Pane} from '../kit/pane.tsx';
import {moreBelow} from '../kit/strings.ts';
import {ageChangesAt, nextBeat, secondAfter} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Rect} from '../layout.ts';
import {isMoving, progressOf, stateLooks} from '../looks/computer-look.ts';
import {useRowsZone} from '../mouse/use-rows-zone.ts';
import {setView} from '../set-view.ts';
import {useApp} from '../use-app.ts';
import {computerColumns, showsAges, wholesOf} from './computer-columns.ts';
import {tableRows} from './computers-now.ts';
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
	const height = tableRows(rect);
	const top = useRef(0);
	top.current = listTop(top.current, cursor, height, rows.length);
	const visible = rows.slice(top.current, top.current + height);
	const {order, isReversed} = reading;
	const size = {width: rect.width - 4, wholes, order, isReversed};
	const now = useNow(at => nextChange(visible, showsAges(size), at));
	const columns = computerColumns({...size, now, progressOf: ({item}) => progressOf(parts, item, now)});
	useRowsZone({
		rect,
		above: 2,
		top: top.current,
		shown: visible.length,
		pick(index, isDouble) {
			const id = index === undefined ? undefined : rows[index]?.item.id;
			setView(parts.view, view =>
				withComputers(view, {
					pane: 'table',
					...(id !== undefined && id !== view.computers.cursor && {cursor: id, top: 0}),
				}),
			);
			if (isDouble && id !== undefined) setView(parts.view, view => withComputers(view, {pane: 'detail'}));
		},
		wheel(by) {
			setView(parts.view, view => {
				const from = rows.findIndex(({item}) => item.id === view.computers.cursor);
				const index = Math.max(0, Math.min(rows.length - 1, from + by));
				return withComputers(view, {cursor: rows[index]?.item.id, top: 0});
			});
		},
	});
	const list = visible.map((row, index): Row => {
		const isCursor = top.current + index === cursor;
		const marker = isCursor ? span(safe`▌`, isFocused ? 'accent' : 'border') : span(safe` `);
		return {line: [marker, ...tableRow(columns, row)], isSelected: isCursor && isFocused};
	});
	const body: readonly Row[] =
		rows.length === 0
			? emptyText(reading, known, parts.keys).map(line => ({line: [span(safe` `), ...line]}))
			: [{line: [span(safe` `), ...tableHeading(columns)]}, ...list];
	const title = [span(strings.title, isFocused ? 'heading' : 'strong'), ...filterWords(reading)];
	const below = rows.length - top.current - visible.length;
	return (
		<Pane
			rect={rect}
			title={title}
			right={firstFitting(summaries(counts, rows.length, known), tailRoom(rect.width, title))}
			bottom={moreBelow(below)}
			isFocused={isFocused}
			body={body}
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

function emptyText({words}: ComputersReading, known: number, {label}: Pick<KeyMap, 'label'>): Line[] {
	if (words !== '' && known > 0) return [strings.noMatches(label('back'))];
	return [[span(strings.none, 'dim')], strings.create(label('new-computer'), label('add'))];
}
