import {type Cursor, rowPositionOf} from '../../state/cursor.ts';
import type {Lists} from '../../state/lists.ts';
import type {NeedsItem} from '../../state/needs-items.ts';
import type {SessionGroup} from '../../state/session-groups.ts';
import type {SessionItem} from '../../state/session-items.ts';

/** A row of a list of sessions: a session, a failed computer, or the heading of a group. */
export type SessionsRow =
	| {readonly item: NeedsItem; readonly group?: never}
	| {readonly group: SessionGroup; readonly item?: never};

/** The rows of a pane: first those that need the user, without a heading, then the groups. */
export type SessionRows = {
	readonly rows: readonly SessionsRow[];
	/** Number of rows that need the user; undefined if another pane has them. */
	readonly needs: number | undefined;
	readonly groups: readonly SessionGroup[];
	/** The number in the title: of sessions, including those in collapsed groups, or of what needs the user. */
	readonly count: number;
};

/** The rows of the pane Needs you. */
export function needsRows({needs}: Lists): SessionRows {
	return {rows: needs.map(item => ({item})), needs: needs.length, groups: [], count: needs.length};
}

/** The rows of the sessions pane; with `holdsNeeds`, those that need the user come first. */
export function sessionRows({needs, sessions, groups}: Lists, holdsNeeds: boolean): SessionRows {
	const rows: SessionsRow[] = holdsNeeds ? needs.map(item => ({item})) : [];
	const first = rows.length;
	let next = 0;
	for (const group of groups) {
		for (; next < group.start; next++) rows.push({item: sessions[next] as SessionItem});
		rows.push({group});
	}
	for (const item of sessions.slice(next)) rows.push({item});
	const others = groups.length === 0 ? sessions.length : groups.reduce((sum, {count}) => sum + count, 0);
	const waiting = holdsNeeds ? needs.filter(({kind}) => kind === 'session').length : 0;
	return {rows, needs: holdsNeeds ? first : undefined, groups, count: waiting + others};
}

/** Index of the cursor's row; -1 if it isn't in this pane. */
export function cursorRow(list: SessionRows, lists: Lists, cursor: Cursor | undefined): number {
	if (cursor === undefined || cursor.section === 'computers') return -1;
	const first = list.needs ?? 0;
	if (cursor.group !== undefined) {
		const index = list.groups.findIndex(({key}) => key === cursor.group);
		return index < 0 ? -1 : first + (list.groups[index]?.start ?? 0) + index;
	}
	const position = rowPositionOf(lists, cursor);
	if (!position || position.section === 'computers') return -1;
	if (position.section === 'needs') return list.needs === undefined ? -1 : position.index;
	const row = first + position.index + list.groups.filter(({start}) => start <= position.index).length;
	return row < list.rows.length ? row : -1;
}

/** Number of rows from `index` on, without headings. */
export function sessionsFrom({rows, needs = 0, groups}: SessionRows, index: number): number {
	const headings = groups.filter(({start}, number) => needs + start + number >= index).length;
	return rows.length - index - headings;
}
