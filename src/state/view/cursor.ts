import type {Subject} from '../../domain/sessions/attention.ts';
import {groupOf, type Lists} from '../lists/lists.ts';
import {type RowPosition, type Section, sections} from '../lists/row-positions.ts';
import {restoreSelection} from '../rows/table-rows.ts';

/**
 * The cursor of the lists: on a row, by id; on the heading of a collapsed group, by key; or in an empty
 * section. Data changes never move it to another row.
 */
export type Cursor = {
	readonly section: Section;
	readonly id?: string;
	/** On a computer among what needs the user. */
	readonly isComputer?: true;
	/** Key of the collapsed group. */
	readonly group?: string;
};

export function cursorOn(section: Section, {kind, id}: Subject): Cursor {
	return {section, id, ...(section === 'needs' && kind === 'computer' && {isComputer: true})};
}

export function isOnComputer({section, isComputer}: Cursor): boolean {
	return section === 'computers' || isComputer === true;
}

/**
 * The current position of the cursor's row among the stops of its section: its rows and, for the sessions, the
 * headings of collapsed groups. When a session starts to need the user, the cursor follows it to its new
 * section; when a computer no longer does, the cursor follows it to the computers.
 */
export function positionOf(lists: Lists, cursor: Cursor | undefined): RowPosition | undefined {
	if (cursor?.group !== undefined) return positionOfGroup(lists, cursor.group);
	const position = rowPositionOf(lists, cursor);
	if (position?.section !== 'sessions') return position;
	const above = lists.groups.filter(({isCollapsed, start}) => isCollapsed && start <= position.index);
	return {...position, index: position.index + above.length};
}

/** The current position of the cursor's row in the list of its section. */
export function rowPositionOf(lists: Lists, cursor: Cursor | undefined): RowPosition | undefined {
	if (cursor?.id === undefined) return undefined;
	const kind = isOnComputer(cursor) ? 'computer' : 'session';
	for (const section of cursor.section === 'computers' ? (['computers'] as const) : sections) {
		const index = rowsOf(lists, section).findIndex(row => row.id === cursor.id && row.kind === kind);
		if (index >= 0) return {section, index};
	}
	return undefined;
}

function positionOfGroup({groups}: Lists, key: string): RowPosition | undefined {
	const collapsed = groups.filter(group => group.isCollapsed);
	const index = collapsed.findIndex(group => group.key === key);
	const group = collapsed[index];
	return group && {section: 'sessions', index: group.start + index};
}

/** The cursor after a data change: its row if it still exists, otherwise the nearest surviving neighbor. */
export function restoreCursor(
	before: Lists | undefined,
	after: Lists,
	cursor: Cursor | undefined,
): Cursor | undefined {
	if (!cursor) return firstRow(after);
	const position = positionOf(after, cursor);
	if (position)
		return position.section === cursor.section ? cursor : cursorAt(after, position.section, position.index);
	const near =
		headingOf(after, cursor) ?? neighbor(before, after, cursor) ?? cursorAt(after, cursor.section, 0);
	// A filter, for example, may leave nothing in its section.
	const isNowhere = near.id === undefined && near.group === undefined && cursor.id !== undefined;
	const next = (isNowhere && firstRow(after)) || near;
	const isSame =
		next.id === cursor.id &&
		next.section === cursor.section &&
		next.isComputer === cursor.isComputer &&
		next.group === cursor.group;
	return isSame ? cursor : next;
}

function firstRow(lists: Lists): Cursor | undefined {
	const section = sections.find(name => stopCount(lists, name) > 0);
	return section && cursorAt(lists, section, 0);
}

/** The heading of the collapsed group of the cursor's session, or the first row of a group that was expanded. */
function headingOf(lists: Lists, cursor: Cursor): Cursor | undefined {
	if (cursor.group !== undefined) {
		const group = lists.groups.find(one => one.key === cursor.group);
		const first = group && lists.sessions[group.start];
		return first && cursorOn('sessions', first);
	}
	if (cursor.id === undefined || isOnComputer(cursor)) return undefined;
	const group = groupOf(lists, cursor.id);
	return group?.isCollapsed ? {section: 'sessions', group: group.key} : undefined;
}

function neighbor(before: Lists | undefined, after: Lists, cursor: Cursor): Cursor | undefined {
	const old = before && positionOf(before, cursor);
	if (!old) return undefined;
	const index = old.section === 'sessions' ? sessionsBefore(before, old.index) : old.index;
	const row = restoreSelection(
		rowsOf(before, old.section),
		index,
		one => positionOf(after, cursorOn(old.section, one)) !== undefined,
	);
	const position = row && positionOf(after, cursorOn(old.section, row));
	return position && cursorAt(after, position.section, position.index);
}

/** Moves the cursor `by` rows down (up if negative) across all sections, stopping at the ends. */
export function moveCursor(lists: Lists, cursor: Cursor | undefined, by: number): Cursor | undefined {
	const position = positionOf(lists, cursor);
	const start = position
		? offset(lists, position.section) + position.index
		: startOutside(lists, cursor?.section ?? 'needs', by);
	return stopAt(lists, start + by) ?? cursor;
}

/** The stop at an index counted across all sections, clamped to the existing ones. */
function stopAt(lists: Lists, wanted: number): Cursor | undefined {
	const count = sections.reduce((sum, section) => sum + stopCount(lists, section), 0);
	let index = Math.max(0, Math.min(count - 1, wanted));
	for (const section of sections) {
		const stop = stopIn(lists, section, index);
		if (stop) return stop;
		index -= stopCount(lists, section);
	}
	return undefined;
}

/** The stop at `index` of a section, or its last one if `index` is too high; the section itself if it is empty. */
export function cursorAt(lists: Lists, section: Section, index: number): Cursor {
	return stopIn(lists, section, Math.max(0, Math.min(index, stopCount(lists, section) - 1))) ?? {section};
}

function stopIn(lists: Lists, section: Section, index: number): Cursor | undefined {
	const above = section === 'sessions' ? sessionsBefore(lists, index) : index;
	const row = rowsOf(lists, section)[above];
	if (section === 'sessions') {
		const group = lists.groups.filter(({isCollapsed}) => isCollapsed)[index - above];
		if (group?.start === above) return {section, group: group.key};
	}
	return row && cursorOn(section, row);
}

/** Number of sessions among the first `index` stops of the sessions. */
function sessionsBefore({groups}: Lists, index: number): number {
	let headings = 0;
	for (const {isCollapsed, start} of groups) if (isCollapsed && start + headings < index) headings++;
	return index - headings;
}

function stopCount(lists: Lists, section: Section): number {
	const headings = section === 'sessions' ? lists.groups.filter(group => group.isCollapsed).length : 0;
	return lists[section].length + headings;
}

function rowsOf(lists: Lists, section: Section): readonly Subject[] {
	return lists[section];
}

function offset(lists: Lists, section: Section): number {
	return sections.slice(0, sections.indexOf(section)).reduce((sum, name) => sum + stopCount(lists, name), 0);
}

/** Start index for moving out of an empty section, so that one step reaches the adjacent row. */
function startOutside(lists: Lists, section: Section, by: number): number {
	return by > 0 ? offset(lists, section) - 1 : offset(lists, section);
}
