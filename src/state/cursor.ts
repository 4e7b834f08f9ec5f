import {type Subject, subjectKey} from '../domain/sessions/attention.ts';
import {groupOf, type Lists} from './lists.ts';
import {restoreSelection} from './restore-selection.ts';
import {type RowPlace, type Section, sections} from './row-places.ts';

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

/** A cursor on a row of a section. */
export function cursorOn(section: Section, {kind, id}: Subject): Cursor {
	return {section, id, ...(section === 'needs' && kind === 'computer' && {isComputer: true})};
}

/** Whether the cursor's row, if it is on one, is a computer. */
export function isOnComputer({section, isComputer}: Cursor): boolean {
	return section === 'computers' || isComputer === true;
}

function subjectOf(cursor: Cursor & {readonly id: string}): Subject {
	return {kind: isOnComputer(cursor) ? 'computer' : 'session', id: cursor.id};
}

/**
 * The current place of the cursor's row among the stops of its section: its rows and, for the sessions, the
 * headings of collapsed groups. When a session starts to need the user, the cursor follows it to its new
 * section; when a computer no longer does, the cursor follows it to the computers.
 */
export function placeOf(all: Lists, cursor: Cursor | undefined): RowPlace | undefined {
	if (cursor?.group !== undefined) return placeOfGroup(all, cursor.group);
	const place = rowPlaceOf(all, cursor);
	if (place?.section !== 'sessions') return place;
	const above = all.groups.filter(({isCollapsed, start}) => isCollapsed && start <= place.index);
	return {...place, index: place.index + above.length};
}

/** The current place of the cursor's row in the list of its section. */
export function rowPlaceOf({places}: Lists, cursor: Cursor | undefined): RowPlace | undefined {
	if (cursor?.id === undefined) return undefined;
	const key = subjectKey(subjectOf({...cursor, id: cursor.id}));
	const place = cursor.section === 'computers' ? undefined : places.sessions.get(key);
	return place ?? places.computers.get(key);
}

function placeOfGroup({groups}: Lists, key: string): RowPlace | undefined {
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
	const place = placeOf(after, cursor);
	if (place) return place.section === cursor.section ? cursor : at(after, place.section, place.index);
	const near = headingOf(after, cursor) ?? neighbor(before, after, cursor) ?? at(after, cursor.section, 0);
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

function firstRow(all: Lists): Cursor | undefined {
	const section = sections.find(name => stopCount(all, name) > 0);
	return section && at(all, section, 0);
}

/** The heading of the collapsed group that holds the cursor's session, or the group's first row once expanded. */
function headingOf(all: Lists, cursor: Cursor): Cursor | undefined {
	if (cursor.group !== undefined) {
		const group = all.groups.find(one => one.key === cursor.group);
		const first = group && all.sessions[group.start];
		return first && cursorOn('sessions', first);
	}
	if (cursor.id === undefined || isOnComputer(cursor)) return undefined;
	const group = groupOf(all, cursor.id);
	return group?.isCollapsed ? {section: 'sessions', group: group.key} : undefined;
}

function neighbor(before: Lists | undefined, after: Lists, cursor: Cursor): Cursor | undefined {
	const old = before && placeOf(before, cursor);
	if (!old) return undefined;
	const index = old.section === 'sessions' ? sessionsBefore(before, old.index) : old.index;
	const row = restoreSelection(
		lists(before, old.section),
		index,
		one => placeOf(after, cursorOn(old.section, one)) !== undefined,
	);
	const place = row && placeOf(after, cursorOn(old.section, row));
	return place && at(after, place.section, place.index);
}

/** Moves the cursor `by` rows down (up if negative) across all sections, stopping at the ends. */
export function moveCursor(all: Lists, cursor: Cursor | undefined, by: number): Cursor | undefined {
	const place = placeOf(all, cursor);
	const start = place ? offset(all, place.section) + place.index : edge(all, cursor?.section ?? 'needs', by);
	return stopAt(all, start + by) ?? cursor;
}

/** The stop at an index counted across all sections, clamped to the existing ones. */
function stopAt(all: Lists, wanted: number): Cursor | undefined {
	const count = sections.reduce((sum, section) => sum + stopCount(all, section), 0);
	let index = Math.max(0, Math.min(count - 1, wanted));
	for (const section of sections) {
		const stop = stopIn(all, section, index);
		if (stop) return stop;
		index -= stopCount(all, section);
	}
	return undefined;
}

/**
 * The stop at `index` of a section, or its last one if `index` is too high; the section itself if it is
 * empty.
 */
export function at(all: Lists, section: Section, index: number): Cursor {
	return stopIn(all, section, Math.max(0, Math.min(index, stopCount(all, section) - 1))) ?? {section};
}

function stopIn(all: Lists, section: Section, index: number): Cursor | undefined {
	const above = section === 'sessions' ? sessionsBefore(all, index) : index;
	const row = lists(all, section)[above];
	if (section === 'sessions') {
		const group = all.groups.filter(({isCollapsed}) => isCollapsed)[index - above];
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

function stopCount(all: Lists, section: Section): number {
	const headings = section === 'sessions' ? all.groups.filter(group => group.isCollapsed).length : 0;
	return all[section].length + headings;
}

function lists(all: Lists, section: Section): readonly Subject[] {
	return all[section];
}

function offset(all: Lists, section: Section): number {
	return sections.slice(0, sections.indexOf(section)).reduce((sum, name) => sum + stopCount(all, name), 0);
}

/** Start index for moving out of an empty section: one step reaches the adjacent row. */
function edge(all: Lists, section: Section, by: number): number {
	return by > 0 ? offset(all, section) - 1 : offset(all, section);
}
