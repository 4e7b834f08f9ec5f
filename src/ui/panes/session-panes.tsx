import {useCallback, useMemo} from 'react';
import {subjectKey} from '../../domain/sessions/attention.ts';
import {isOnComputer, placeOf} from '../../state/cursor.ts';
import type {Lists} from '../../state/lists.ts';
import type {NeedsItem} from '../../state/needs-items.ts';
import {headingOf, type SessionSort, sortTitles} from '../../state/session-sort.ts';
import type {View} from '../../state/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {firstFitting} from '../kit/columns.ts';
import {tailRoom} from '../kit/frame.ts';
import {ListPane} from '../kit/list-pane.tsx';
import {ageChangesAt, nextBeat} from '../kit/ticker.ts';
import type {Rect} from '../layout.ts';
import {pickRow} from '../mouse/pick-row.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {failedComputerRow} from './failed-computer-row.ts';
import {sessionRow, wordWidth} from './session-row.ts';
import {strings} from './strings.ts';

const words = strings.sessions;

type Props = {readonly lists: Lists; readonly view: View; readonly rect: Rect};

/** Sessions that need the user, and computers that failed. */
export function NeedsPane({lists, view, rect}: Props) {
	const parts = useApp();
	const position = placeOf(lists, view.cursor);
	return (
		<SessionList
			pane="needs"
			rect={rect}
			title={strings.needs.title}
			items={lists.needs}
			sort={lists.sort}
			cursor={position?.section === 'needs' ? position.index : -1}
			isFocused={view.focus === 'lists' && view.cursor?.section === 'needs'}
			onPick={(item, isDouble) => pickRow(parts, lists, 'needs', {item, isDouble})}
			empty={
				view.filter === ''
					? [[span(safe`✓ `, 'good'), span(strings.needs.none, 'dim')]]
					: [[span(words.noMatches, 'dim')]]
			}
		/>
	);
}

/**
 * All other sessions. `holdsNeeds`: sessions that need the user are listed first, because they have no pane
 * of their own.
 */
export function SessionsPane({lists, view, rect, holdsNeeds}: Props & {readonly holdsNeeds: boolean}) {
	const parts = useApp();
	const {isConnected} = parts;
	const position = placeOf(lists, view.cursor);
	const offset = holdsNeeds ? lists.needs.length : 0;
	const cursor =
		position?.section === 'sessions'
			? position.index + offset
			: position?.section === 'needs' && holdsNeeds
				? position.index
				: -1;
	const section = view.cursor?.section ?? 'sessions';
	const items: readonly NeedsItem[] = useMemo(
		() => (holdsNeeds ? [...lists.needs, ...lists.sessions] : lists.sessions),
		[holdsNeeds, lists.needs, lists.sessions],
	);
	return (
		<SessionList
			pane="sessions"
			rect={rect}
			title={strings.sessions.title}
			items={items}
			sort={lists.sort}
			past={view.showsArchived ? 0 : lists.past}
			cursor={cursor}
			isFocused={
				isConnected &&
				view.focus === 'lists' &&
				(section === 'sessions' || (holdsNeeds && section === 'needs'))
			}
			onPick={(item, isDouble) => {
				const isNeeds = item !== undefined && lists.needs.includes(item);
				pickRow(parts, lists, isNeeds ? 'needs' : 'sessions', {item, isDouble});
			}}
			empty={emptySessions(view, lists, parts)}
		/>
	);
}

function emptySessions(
	view: View,
	lists: Lists,
	{isConnected, keys}: Pick<AppParts, 'isConnected' | 'keys'>,
): Line[] {
	if (view.needsOnly) return [words.hidden(keys.label('needs-only'))];
	if (view.filter !== '') return [[span(words.noMatches, 'dim')]];
	const none = [span(words.none, 'dim')];
	if (!isConnected) return [none];
	if (lists.computers.length === 0) return [none, words.add(keys.label('add'))];
	// The key depends on where the cursor is.
	const isComputer = view.focus === 'lists' && view.cursor !== undefined && isOnComputer(view.cursor);
	return [none, words.open(keys.label(isComputer ? 'open-session' : 'new-session'))];
}

function SessionList(props: {
	readonly pane: 'needs' | 'sessions';
	readonly rect: Rect;
	readonly title: Safe;
	readonly items: readonly NeedsItem[];
	readonly cursor: number;
	readonly isFocused: boolean;
	readonly onPick: (item: NeedsItem | undefined, isDouble: boolean) => void;
	readonly empty: readonly Line[];
	/** Number of ended sessions that are hidden. */
	readonly past?: number;
	readonly sort: SessionSort;
}) {
	const {pane, rect, title, items, cursor, isFocused, onPick, empty, past = 0, sort} = props;
	const {keys, actions} = useApp();
	const {engine} = actions;
	const onVisible = useCallback(
		(ids: readonly string[]) => engine.setVisibleSessions(pane, ids),
		[engine, pane],
	);
	const rows = useMemo(() => headingRows(items, sort), [items, sort]);
	const selected = items[cursor];
	const stateWidth = wordWidth(items.slice(0, 200));
	const head = [span(title, isFocused ? 'heading' : 'strong')];
	return (
		<ListPane
			rect={rect}
			title={head}
			{...(items.length + past > 0 && {
				right: firstFitting(
					countText(items.length, past, sort, keys.label('show-archived')),
					tailRoom(rect.width, head),
				),
			})}
			isFocused={isFocused}
			items={rows}
			cursor={selected ? rows.findIndex(row => 'item' in row && row.item === selected) : -1}
			cursorId={selected && subjectKey(selected)}
			idOf={row => ('item' in row && row.item.kind === 'session' ? row.item.id : undefined)}
			onVisible={onVisible}
			onPick={(row, isDouble) => onPick(row && 'item' in row ? row.item : undefined, isDouble)}
			renderItem={(row, width, now) =>
				'item' in row ? itemRow(row.item, width, stateWidth, now) : headingLine(row, width)
			}
			changesAt={(row, now) =>
				'item' in row && row.item.since !== undefined
					? nextBeat(ageChangesAt(row.item.since, now))
					: undefined
			}
			empty={empty}
		/>
	);
}

function itemRow(item: NeedsItem, ...rest: readonly [width: number, words: number, now: number]): Line {
	return item.kind === 'session' ? sessionRow(item, ...rest) : failedComputerRow(item, ...rest);
}

/** The count, sort order and number of hidden sessions; longest form first. */
function countText(count: number, past: number, sort: SessionSort, archiveKey: Safe): readonly Line[] {
	const total = span(safe`${count}`, 'dim');
	const hidden = past > 0 ? [span(words.past(past, archiveKey), 'dim')] : [];
	const order = sort === 'attention' ? [] : [span(safe`${cleanLine(sortTitles[sort])} · `, 'dim')];
	return [[...order, ...hidden, total], [...order, total], [total]];
}

/** `/home/me/shop`, heading the local sessions in that folder, or a computer's name. */
function headingLine({heading, kind}: SessionsHeading, width: number): Line {
	const unknown = kind === 'folder' ? words.unknownFolder : words.unknownComputer;
	const text = heading === '' ? unknown : cutMiddle(cleanLine(heading), Math.max(4, width - 2));
	return [span(safe`▾ `, 'border'), span(text, 'info')];
}

/** A row of the sessions pane: a session, a failed computer, or the heading of those below it. */
type SessionsRow = {readonly item: NeedsItem} | SessionsHeading;

export type SessionsHeading = {readonly heading: string; readonly kind: 'folder' | 'computer'};

/**
 * Inserts a heading before the first session of each local folder and, when sorted by computer, of each
 * computer. Sessions that need the user get none.
 */
function headingRows(items: readonly NeedsItem[], sort: SessionSort): SessionsRow[] {
	const rows: SessionsRow[] = [];
	let last: string | undefined;
	for (const item of items) {
		const heading = item.kind === 'session' ? headingOf(item, sort) : undefined;
		if (item.kind === 'session' && heading !== undefined) {
			const kind = item.folder === undefined ? 'computer' : 'folder';
			const name = `${kind} ${heading}`;
			if (name !== last) rows.push({heading, kind});
			last = name;
		}
		rows.push({item});
	}
	return rows;
}
