import type {Lists} from '../../state/lists/lists.ts';
import type {NeedsItem} from '../../state/lists/needs-items.ts';
import type {SessionGroup} from '../../state/sessions/session-groups.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {type Cursor, rowPositionOf} from '../../state/view/cursor.ts';

/** A row of a list of sessions: a session, a failed computer, or the heading of a group or of Needs you. */
export type SessionListRow =
	| {readonly item: NeedsItem; readonly group?: never}
	| {readonly group: SessionGroup; readonly item?: never}
	| {readonly item?: never; readonly group?: never};

/** The rows of a pane: first those that need the user, then the groups. */
export type SessionList = {
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
