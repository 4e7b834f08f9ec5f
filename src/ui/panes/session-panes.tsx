import {memo, useCallback, useMemo} from 'react';
import {useStore} from 'zustand';
import {subjectKey} from '../../domain/sessions/attention.ts';
import {isBlocked} from '../../state/connection.ts';
import {isWaiting, type Lists, type NeedsItem, whyUnknown} from '../../state/lists/lists.ts';
import {detailedRows} from '../../state/sessions/session-density.ts';
import type {SessionGroup, StateGroup} from '../../state/sessions/session-groups.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {type SessionSort, sortTitles} from '../../state/sessions/session-sort.ts';
import {type Cursor, restoreCursor, rowPositionOf} from '../../state/view/cursor.ts';
import {type ListsView, setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {firstFitting, type Line, lineWidth, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {filteredTitle, ListPane, listChrome} from '../kit/list-pane.tsx';
import {tailRoom} from '../kit/pane.tsx';
import {keyed, shownCount} from '../kit/strings.ts';
import type {Rect} from '../layout.ts';
import {pickRow} from '../mouse/use-rows-zone.ts';
import {useDisplay} from '../theme/use-theme.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {type ListParts, listsNow} from '../use-lists.ts';
import {hasReasonInLine, itemRow, itemRowChangesAt} from './session-row.ts';
import {strings} from './strings.ts';

const needsTitle = safe`Needs you`;

type Props = {readonly lists: Lists; readonly view: ListsView; readonly rect: Rect};

/** Sessions that need the user, and computers that failed. */
export const NeedsPane = memo(({lists, view, rect}: Props) => {
	const parts = useApp();
	const list = useMemo(() => needsList(lists), [lists]);
	const hasHookHint = useStore(parts.hooks.hint, ({isShown}) => isShown);
	const why = useStore(parts.stores.connection, connection => whyUnknown(connection, lists.counts));
	return (
		<ListOfSessions
			pane="needs"
			rect={rect}
			title={needsTitle}
			list={list}
			hidden={lists.all.needs.length - lists.needs.length}
			lists={lists}
			view={view}
			isFocused={view.focus === 'lists' && view.cursor?.section === 'needs'}
			hasHookHint={hasHookHint}
			empty={
				view.filter === ''
					? [noNeeds(why, rect), ...(hasHookHint ? hookHint(rect.width, parts) : [])]
					: [[span(safe`No matches.`, 'dim')]]
			}
		/>
	);
});

const whyText = {
	unauthorized: safe`key refused`,
	offline: safe`offline`,
	refusal: safe`not connected`,
	failed: safe`can't be read`,
	reading: safe`still reading`,
} as const;

/** What stands where nothing is known to need the user; in a pane without rows, in the border beside the title. */
function noNeeds(why: ReturnType<typeof whyUnknown>, {width, height}: Rect): Line {
	if (why === undefined)
		return [span(safe`✓ `, 'good'), span(height > 2 ? safe`Nothing needs you.` : safe`nothing`, 'dim')];
	const reason = whyText[why];
	if (height > 2) return [span(safe`Not known: ${reason}.`, 'warn')];
	const forms = [safe`not known: ${reason}`, safe`? ${reason}`, safe`unknown`].map(form => [
		span(form, 'warn'),
	]);
	return firstFitting(forms, tailRoom(width, [span(needsTitle)]));
}

/** The hint that hooks are missing, in one row or two. */
function hookHint(paneWidth: number, {keys}: AppParts): readonly Line[] {
	const whole = keyed`Hooks are not installed: ${keys.label('hooks')} installs them`;
	return lineWidth(whole) <= paneWidth - 3
		? [whole]
		: [keyed`Hooks are not installed:`, keyed`${keys.label('hooks')} installs them`];
}

/**
 * All other sessions. `holdsNeeds`: sessions that need the user are listed first, because they have no pane
 * of their own.
 */
export const SessionsPane = memo(
	({lists, view, rect, holdsNeeds}: Props & {readonly holdsNeeds: boolean}) => {
		const parts = useApp();
		const list = useMemo(() => sessionList(lists, holdsNeeds), [lists, holdsNeeds]);
		const hasHookHint = useStore(parts.hooks.hint, ({isShown}) => isShown && holdsNeeds);
		const cannotRead = useStore(parts.stores.connection, isBlocked);
		const section = view.cursor?.section ?? 'sessions';
		return (
			<ListOfSessions
				pane="sessions"
				rect={rect}
				title={safe`Sessions`}
				list={list}
				hidden={lists.hidden.sessions - (holdsNeeds ? 0 : hiddenSessions(lists))}
				lists={lists}
				view={view}
				past={view.showsArchived ? 0 : lists.past}
				hasHookHint={hasHookHint}
				isFocused={
					parts.profile.isConnected &&
					view.focus === 'lists' &&
					(section === 'sessions' || (holdsNeeds && section === 'needs'))
				}
				empty={[
					...emptySessions(view, lists, parts, {cannotRead, width: rect.width - 3}),
					...(hasHookHint ? hookHint(rect.width, parts) : []),
				]}
			/>
		);
	},
);

/** Number of sessions that need the user and are hidden by the filter. */
function hiddenSessions({all, needs}: Lists): number {
	const sessionsOf = (items: Lists['needs']) => items.filter(({kind}) => kind === 'session').length;
	return sessionsOf(all.needs) - sessionsOf(needs);
}

function emptySessions(
	view: ListsView,
	{all, past}: Lists,
	{profile, keys}: AppParts,
	{cannotRead, width}: {readonly cannotRead: boolean; readonly width: number},
): Line[] {
	if (view.needsOnly) return [keyed`Sessions hidden; ${keys.label('needs-only')} shows all.`];
	if (view.filter !== '')
		return [
			view.isFiltering
				? [span(safe`No matches.`, 'dim')]
				: keyed`No matches. ${keys.label('search')} searches messages.`,
		];
	if (cannotRead && all.sessions.length === 0) return [[span(strings.sessions.noneKnown, 'dim')]];
	if (profile.isConnected && profile.host !== undefined && all.sessions.length === 0)
		return [
			...wrapText(strings.sessions.cannotList, width).map(row => [span(row, 'dim')]),
			keyed`${keys.label('new-session')} starts one, ${keys.label('add')} adds one by id.`,
		];
	const hasOthers = all.sessions.length > past;
	const none = [
		span(
			hasOthers
				? safe`No other sessions.`
				: past > 0
					? safe`All have ended or are archived.`
					: safe`No sessions yet.`,
			'dim',
		),
	];
	return profile.isConnected ? [none, keyed`${keys.label('new-session')} starts one.`] : [none];
}

function ListOfSessions(props: {
	readonly pane: 'needs' | 'sessions';
	readonly rect: Rect;
	readonly title: Safe;
	readonly list: SessionList;
	readonly hidden: number;
	readonly lists: Lists;
	readonly view: ListsView;
	readonly isFocused: boolean;
	readonly empty: readonly Line[];
	/** Number of ended sessions that are hidden. */
	readonly past?: number;
	/** Whether to show beside the count that the hooks are missing. */
	readonly hasHookHint: boolean;
}) {
	const {pane, rect, title, list, lists, view, isFocused, empty, past = 0, hasHookHint} = props;
	const all = list.count + (view.filter === '' ? 0 : props.hidden);
	const parts = useApp();
	const {engine} = parts.actions;
	const {hasReducedMotion, isScreenReader} = useDisplay();
	const drafted = useStore(parts.composers, state => state.drafted);
	const {grouping, sort} = lists;
	const onVisible = useCallback(
		(ids: readonly string[]) => engine.sessions.watcher.setVisible(pane, ids),
		[engine, pane],
	);
	const {density} = view;
	const height = rect.height - 2;
	const needsDetail = !hasReasonInLine(rect.width - listChrome);
	const isDetailed = useMemo(
		() =>
			detailedRows(
				list.rows.flatMap(({item}) => item ?? []),
				{density, height, headings: list.groups.length + (list.hasNeedsHeading ? 1 : 0), needsDetail},
			),
		[list, density, height, needsDetail],
	);
	const hasComputers = useMemo(() => areOnSeveralComputers([...lists.needs, ...lists.sessions]), [lists]);
	const cursor = cursorRow(list, lists, view.cursor);
	const selected = list.rows[cursor];
	const count = shownCount(list.count, all);
	const counts = countText(count, past, sort, parts.keys.label('show-archived'));
	const nextKey = pane === 'needs' ? keyed`${parts.keys.label('next-needs')} next · ` : [];
	const hooks = parts.keys.label('hooks');
	const noHooks =
		hasHookHint && list.rows.length > 0 ? [keyed`${hooks} installs hooks · `, keyed`${hooks} hooks · `] : [];
	const besides = [...noHooks.map(hint => [...hint, ...nextKey]), ...noHooks, nextKey, []];
	return (
		<ListPane
			rect={rect}
			title={filteredTitle(span(title, isFocused ? 'heading' : 'strong'), view.filter, count, rect.width)}
			right={all + past > 0 ? besides.flatMap(hint => counts.map(count => [...hint, ...count])) : undefined}
			isFocused={isFocused}
			items={list.rows}
			cursor={cursor}
			cursorId={selected?.item ? subjectKey(selected.item) : selected?.group?.key}
			idOf={({item}) => (item?.kind === 'session' ? item.id : undefined)}
			onVisible={onVisible}
			onPick={(row, isDouble) => {
				const {item, group} = row ?? {};
				const isNeeds = pane === 'needs' || (item !== undefined && isWaiting(item));
				if (!group) pickRow(parts, lists, isNeeds ? 'needs' : 'sessions', {item, isDouble});
				else if (!isDouble) collapseGroup(parts, group.key, !group.isCollapsed);
			}}
			heightOf={({item}) => (item && isDetailed(item) ? 2 : 1)}
			renderItem={({item, group}, width, now) =>
				item
					? itemRow(item, {
							width,
							now,
							grouping,
							hasComputers,
							isSpinnerStill: hasReducedMotion,
							isScreenReader,
							isDetailed: isDetailed(item),
							hasDraft: drafted.has(item.id),
						})
					: [group ? headingLine(group, width, isScreenReader) : needsHeading(list.needs ?? 0)]
			}
			changesAt={({item}, now) => item && itemRowChangesAt(item, now)}
			countFrom={index => sessionsFrom(list, index)}
			empty={empty}
		/>
	);
}

function areOnSeveralComputers(items: readonly NeedsItem[]): boolean {
	const computerOf = (item: NeedsItem | undefined) =>
		item?.kind === 'computer' ? item.name : (item?.computerName ?? item?.computerId);
	const first = computerOf(items[0]);
	return items.some(item => computerOf(item) !== first);
}

/** The count, sort order and number of hidden sessions, in three forms; the fullest first. */
function countText(count: Safe, past: number, sort: SessionSort, archiveKey: Safe): readonly Line[] {
	const total = span(count, 'dim');
	const hidden = past > 0 ? [span(safe`${past} hidden (${archiveKey}) · `, 'dim')] : [];
	const order = sort === 'attention' ? [] : [span(safe`${cleanLine(sortTitles[sort])} · `, 'dim')];
	return [[...order, ...hidden, total], [...order, total], [total]];
}

/** `Needs you 2`; unlike groups, it can't be collapsed. */
function needsHeading(count: number): Line {
	return [span(needsTitle, 'warn'), span(safe` ${count}`, 'dim')];
}

/** `▾ Working 7`, or `▸ Idle 26` for a collapsed group. */
function headingLine(group: SessionGroup, width: number, isScreenReader: boolean): Line {
	const state = isScreenReader && group.isCollapsed ? safe`, collapsed` : safe``;
	const count = safe` ${group.count}${state}`;
	const name = cutMiddle(groupTitle(group), Math.max(4, width - 2 - textWidth(count)));
	return [span(group.isCollapsed ? safe`▸ ` : safe`▾ `, 'border'), span(name, 'info'), span(count, 'dim')];
}

const groups = {
	needs: safe`Needs you`,
	working: safe`Working`,
	idle: safe`Idle`,
	earlier: safe`Asked or failed earlier`,
	setAside: safe`Acknowledged or snoozed`,
	other: safe`Other state`,
	unknown: safe`Not known`,
	ended: safe`Ended`,
	archived: safe`Archived`,
};

const ungrouped = {
	state: safe`Not known`,
	computer: safe`unknown computer`,
	tag: safe`no tag`,
	folder: safe`unknown folder`,
	none: safe``,
};

/** The group's name, without its count. */
export function groupTitle({grouping, name, word}: SessionGroup): Safe {
	if (word !== undefined) return cleanLine(word);
	if (name === undefined) return ungrouped[grouping];
	if (grouping === 'state') return groups[name as StateGroup];
	return cleanLine(grouping === 'tag' ? `#${name}` : name);
}

/** A row of a list of sessions: a session, a failed computer, or the heading of a group or of Needs you. */
type SessionListRow =
	| {readonly item: NeedsItem; readonly group?: never}
	| {readonly group: SessionGroup; readonly item?: never}
	| {readonly item?: never; readonly group?: never};

/** The rows of a pane: first those that need the user, then the groups. */
type SessionList = {
	readonly rows: readonly SessionListRow[];
	/** Number of rows that need the user; undefined if another pane has them. */
	readonly needs: number | undefined;
	/** Whether those have a heading, which the cursor can't be on. */
	readonly hasNeedsHeading: boolean;
	readonly groups: readonly SessionGroup[];
	/** The number in the title: of sessions, including those in collapsed groups, or of items that need the user. */
	readonly count: number;
};

export function needsList({needs}: Lists): SessionList {
	const rows = needs.map(item => ({item}));
	return {rows, needs: needs.length, hasNeedsHeading: false, groups: [], count: needs.length};
}

/** The rows of the sessions pane. With `holdsNeeds`, Needs you comes first; it has a heading if the others have groups. */
export function sessionList({needs, sessions, groups}: Lists, holdsNeeds: boolean): SessionList {
	const first = holdsNeeds ? needs.length : 0;
	const hasNeedsHeading = first > 0 && groups.length > 0;
	const rows: SessionListRow[] = hasNeedsHeading ? [{}] : [];
	if (holdsNeeds) for (const item of needs) rows.push({item});
	let next = 0;
	for (const group of groups) {
		for (; next < group.start; next++) rows.push({item: sessions[next] as SessionItem});
		rows.push({group});
	}
	for (const item of sessions.slice(next)) rows.push({item});
	const others = groups.length === 0 ? sessions.length : groups.reduce((sum, {count}) => sum + count, 0);
	const waiting = holdsNeeds ? needs.filter(({kind}) => kind === 'session').length : 0;
	return {rows, needs: holdsNeeds ? first : undefined, hasNeedsHeading, groups, count: waiting + others};
}

/** Index of the first row after those that need the user. */
function firstOther({needs = 0, hasNeedsHeading}: SessionList): number {
	return needs + (hasNeedsHeading ? 1 : 0);
}

/** Index of the cursor's row; -1 if it isn't in this pane. */
export function cursorRow(list: SessionList, lists: Lists, cursor: Cursor | undefined): number {
	if (cursor === undefined || cursor.section === 'computers') return -1;
	const first = firstOther(list);
	if (cursor.group !== undefined) {
		const index = list.groups.findIndex(({key}) => key === cursor.group);
		return index < 0 ? -1 : first + (list.groups[index]?.start ?? 0) + index;
	}
	const position = rowPositionOf(lists, cursor);
	if (!position || position.section === 'computers') return -1;
	if (position.section === 'needs')
		return list.needs === undefined ? -1 : first - list.needs + position.index;
	const row = first + position.index + list.groups.filter(({start}) => start <= position.index).length;
	return row < list.rows.length ? row : -1;
}

/** Number of rows from `index` on, without headings. */
export function sessionsFrom(list: SessionList, index: number): number {
	const {rows, groups, hasNeedsHeading} = list;
	const first = firstOther(list);
	const headings = groups.filter(({start}, number) => first + start + number >= index).length;
	return rows.length - index - headings - (hasNeedsHeading && index === 0 ? 1 : 0);
}

/**
 * Collapses or expands a group of the sessions pane and moves the cursor there: to the heading, or to the
 * first session.
 */
export function collapseGroup(parts: ListParts, key: string, isCollapsed: boolean): void {
	setView(parts.view, ({replyTo: _, ...view}) => {
		const collapsed = new Set(view.collapsed);
		if (isCollapsed) collapsed.add(key);
		else collapsed.delete(key);
		return {...view, collapsed, focus: 'lists'};
	});
	const lists = listsNow(parts);
	const cursor = restoreCursor(undefined, lists, {section: 'sessions', group: key});
	if (cursor) setView(parts.view, view => ({...view, cursor}));
}
