import {useEffect, useMemo} from 'react';
import {useStore} from 'zustand';
import {asksForPast} from '../../domain/list-filter/filter.ts';
import {isDelivered, type OutboxItem} from '../../domain/messages/delivery.ts';
import {isBlocked} from '../../state/connection.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {countMarked, sessionsToActOn} from '../../state/sessions/marked-sessions.ts';
import {type SessionRow, sessionRow} from '../../state/sessions/session-columns.ts';
import {countStates} from '../../state/sessions/session-groups.ts';
import {isUnsure} from '../../state/sessions/session-state.ts';
import {sessionsFilter} from '../../state/sessions/session-table.ts';
import {filterOf, setView, type View, withTableCursor} from '../../state/view/view.ts';
import {firstFitting, type Line, lineWidth, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {tailRoom} from '../kit/pane.tsx';
import {filterTitle, keyed, moreBelow, noMatches, shownCount} from '../kit/strings.ts';
import {marksWidth, TablePane, tableChrome, tableRows, useTableWindow} from '../kit/table-pane.tsx';
import {agesChangeAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Rect} from '../layout.ts';
import {strings as paneStrings} from '../panes/strings.ts';
import {createNoteOf, deliveryConnection, useDeliveryNotes} from '../stream/delivery-note.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {areAllArchived} from './archive.ts';
import {fittedColumns, measure} from './fitted-columns.ts';
import {deliveryTo} from './sessions-now.ts';

type Props = {
	readonly rect: Rect;
	readonly rows: readonly SessionRow[];
	readonly cursor: number;
	readonly view: View;
	readonly lists: Lists;
	readonly isFocused: boolean;
};

/** All sessions, one per row. Draws only visible rows. */
export function SessionTablePane({rect, rows, cursor, view, lists, isFocused}: Props) {
	const parts = useApp();
	const {keys} = parts;
	const viewState = view.sessions;
	const {all} = lists;
	const measured = useMemo(() => measure(all.sessions.map(sessionRow)), [all.sessions]);
	const window = useTableWindow(rows, cursor, tableRows(rect));
	const {top, visible} = window;
	useVisibleSessions(visible);
	const starts = visible.map(({activeAt}) => activeAt);
	const now = useNow(at => agesChangeAt(starts, at));
	const drafted = useStore(parts.composers, state => state.drafted);
	const cannotRead = useStore(parts.stores.connection, isBlocked);
	const {deliveries, delivery} = useDeliveries(view, now);
	const {order, isReversed} = viewState;
	const width = rect.width - tableChrome - marksWidth;
	const includesPast = view.showsArchived || asksForPast(sessionsFilter(all, filterOf(view)));
	const listed = all.sessions.length - (includesPast ? 0 : lists.past);
	const {marked, hidden} = countMarked(viewState, rows, all.sessionsById);
	const title = [
		span(safe`Sessions`, isFocused ? 'heading' : 'strong'),
		...(marked > 0
			? [
					span(safe` · `, 'border'),
					span(hidden === 0 ? safe`${marked} marked` : safe`${marked} marked, ${hidden} hidden`, 'warn'),
				]
			: []),
		...filterTitle(filterOf(view)),
	];
	const below = moreBelow(rows.length - top - visible.length);
	const room = rect.width - 8 - lineWidth(below) - 2;
	// While the user writes, keys type text.
	const restores = areAllArchived(sessionsToActOn(view, all.sessionsById));
	const actions = isFocused ? actionsLine(keys, room, restores) : [];
	const note = marked > 0 ? actions : deliveryLine(deliveries, keys);
	return (
		<TablePane
			rect={rect}
			title={title}
			right={firstFitting(summaries(rows, listed, now), tailRoom(rect.width, title))}
			bottom={note.length > 0 && below.length > 0 ? [...note, span(safe`  `), ...below] : [...note, ...below]}
			isFocused={isFocused}
			columns={fittedColumns(
				measured,
				{width, now, drafted},
				{order, isReversed, hidden: view.hiddenColumns.sessions},
				delivery,
			)}
			window={window}
			cursor={cursor}
			isMarked={({item}) => viewState.marked.has(item.id)}
			empty={emptyText(view, lists, parts, cannotRead)}
			onPick={(index, isDouble) => {
				const id = index === undefined ? undefined : rows[index]?.item.id;
				if (id === undefined) return;
				setView(parts.view, now => withTableCursor(now, 'sessions', id));
				if (isDouble && parts.view.getState().sessions.writing === undefined) parts.input.run(parts, 'open');
			}}
			onWheel={by =>
				setView(parts.view, now => {
					const from = rows.findIndex(({item}) => item.id === now.tableCursors.sessions);
					const index = Math.max(0, Math.min(rows.length - 1, from + by));
					return withTableCursor(now, 'sessions', rows[index]?.item.id);
				})
			}
		/>
	);
}

/** Asks the engine to read the visible sessions before others. */
function useVisibleSessions(visible: readonly SessionRow[]): void {
	const {engine} = useApp().actions;
	const ids = visible.map(({item}) => item.id).join('\n');
	useEffect(() => {
		engine.sessions.watcher.setVisible('session-table', ids === '' ? [] : ids.split('\n'));
		return () => engine.sessions.watcher.setVisible('session-table', []);
	}, [engine, ids]);
}

/** The messages sent from the table, one per session, and their column; without a column once they are dismissed. */
function useDeliveries(view: View, now: number) {
	const parts = useApp();
	useStore(parts.stores.outbox);
	const deliveries = [...view.sessions.deliveries.keys()].map(id => deliveryTo(parts.stores, view, id));
	const sent = deliveries.filter(item => item !== undefined);
	useDeliveryNotes(sent);
	if (deliveries.length === 0) return {deliveries};
	const {state, retryAt} = deliveryConnection(parts, sent);
	const noteOf = createNoteOf(state, retryAt, now);
	const delivery = {
		of: ({item}: SessionRow) => deliveryTo(parts.stores, view, item.id),
		noteOf,
		widest: Math.max(0, ...sent.map(item => lineWidth([noteOf(item)]))),
	};
	return {deliveries, delivery};
}

/** The total, and how many of the rows need the user or work, counted as the header does; longest form first. */
function summaries(rows: readonly SessionRow[], all: number, now: number): readonly Line[] {
	const {needs, working} = countStates(rows.map(({item}) => item));
	const hasUnsure = rows.some(({item}) => item.state === 'working' && !item.isPast && isUnsure(item, now));
	const workingText = hasUnsure
		? span(safe`◌ ${working} working?`, 'dim')
		: span(safe`● ${working} working`, 'good');
	const total = span(shownCount(rows.length, all), 'dim');
	return [
		[
			...(needs > 0
				? [
						span(needs === 1 ? safe`! 1 of these needs you` : safe`! ${needs} of these need you`, 'warn'),
						span(safe`  `),
					]
				: []),
			...(working > 0 ? [workingText, span(safe`  `)] : []),
			total,
		],
		[total],
	];
}

function actionsLine({label}: KeyMap, room: number, restores: boolean): Line {
	const message = keyed`${label('reply')} message  `;
	const others = keyed`${label('tag')} tag  ${label('acknowledge')} acknowledge  `;
	const back = keyed`  ${label('back')} unmark`;
	const archive = restores ? keyed`${label('archive')} list again` : keyed`${label('archive')} archive`;
	const last = [...archive, ...back];
	return firstFitting([[...message, ...others, ...last], [...message, ...last], []], room);
}

function deliveryLine(deliveries: readonly (OutboxItem | undefined)[], {label}: KeyMap): Line {
	if (deliveries.length === 0) return [];
	// Delivered messages leave the outbox store after a time.
	const done = deliveries.filter(item => item === undefined || isDelivered(item)).length;
	const isUnsettled = deliveries.some(item => item?.state === 'failed' || item?.state === 'unconfirmed');
	return [
		span(safe`message accepted by ${done} of ${deliveries.length}`, isUnsettled ? 'warn' : 'dim'),
		...(isUnsettled
			? keyed`  ${label('retry')} sends again  ${label('back')} dismisses`
			: keyed`  ${label('back')} dismisses`),
	];
}

function emptyText(
	view: View,
	{past}: Lists,
	{keys: {label}, profile: {host}}: AppParts,
	cannotRead: boolean,
): Line[] {
	if (filterOf(view) !== '')
		return [noMatches(label('back'), view.isFiltering ? undefined : label('search'))];
	if (past > 0)
		return [keyed`All sessions are archived or have ended. ${label('show-archived')} shows them.`];
	// The banner gives the reason and the remedy.
	if (cannotRead) return [[span(paneStrings.sessions.noneKnown, 'dim')]];
	const none = host === undefined ? safe`No sessions yet.` : paneStrings.sessions.cannotList;
	return [
		[span(none, 'dim')],
		keyed`${label('new-session')} opens one, ${label('add')} adds an existing one by its id.`,
	];
}
