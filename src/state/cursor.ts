import {type Subject, subjectKey} from '../domain/sessions/attention.ts';
import type {Lists} from './lists.ts';
import {restoreSelection} from './restore-selection.ts';
import {type RowPlace, type Section, sections} from './row-places.ts';

/**
 * The cursor of the lists: on a row, by id, or in an empty section. Data changes never move it to another
 * row.
 */
export type Cursor = {
	readonly section: Section;
	readonly id?: string;
	/** On a computer among what needs the user. */
	readonly isComputer?: true;
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
 * The current place of the cursor's row. When a session starts to need the user, the cursor follows it to its
 * new section; when a computer no longer does, the cursor follows it to the computers.
 */
export function placeOf({places}: Lists, cursor: Cursor | undefined): RowPlace | undefined {
	if (cursor?.id === undefined) return undefined;
	const key = subjectKey(subjectOf({...cursor, id: cursor.id}));
	const place = cursor.section === 'computers' ? undefined : places.sessions.get(key);
	return place ?? places.computers.get(key);
}

/** The cursor after a data change: its row if it still exists, otherwise the nearest surviving neighbor. */
export function restoreCursor(
	before: Lists | undefined,
	after: Lists,
	cursor: Cursor | undefined,
): Cursor | undefined {
	if (!cursor) {
		const section = sections.find(name => lists(after, name).length > 0);
		return section && at(after, section, 0);
	}
	const place = placeOf(after, cursor);
	if (place) return place.section === cursor.section ? cursor : at(after, place.section, place.index);
	const next = neighbor(before, after, cursor) ?? at(after, cursor.section, 0);
	const isSame =
		next.id === cursor.id && next.section === cursor.section && next.isComputer === cursor.isComputer;
	return isSame ? cursor : next;
}

function neighbor(before: Lists | undefined, after: Lists, cursor: Cursor): Cursor | undefined {
	const old = before && placeOf(before, cursor);
	if (!old) return undefined;
	const row = restoreSelection(
		lists(before, old.section),
		old.index,
		one => placeOf(after, cursorOn(old.section, one)) !== undefined,
	);
	const place = row && placeOf(after, cursorOn(old.section, row));
	return place && at(after, place.section, place.index);
}

/** Moves the cursor `by` rows down (up if negative) across all sections, stopping at the ends. */
export function moveCursor(all: Lists, cursor: Cursor | undefined, by: number): Cursor | undefined {
	const place = placeOf(all, cursor);
	const start = place ? offset(all, place.section) + place.index : edge(all, cursor?.section ?? 'needs', by);
	return rowAt(all, start + by) ?? cursor;
}

/** The row at an index counted across all sections, clamped to the existing rows. */
function rowAt(all: Lists, wanted: number): Cursor | undefined {
	const count = sections.reduce((sum, section) => sum + lists(all, section).length, 0);
	let index = Math.max(0, Math.min(count - 1, wanted));
	for (const section of sections) {
		const row = lists(all, section)[index];
		if (row) return cursorOn(section, row);
		index -= lists(all, section).length;
	}
	return undefined;
}

/**
 * The row at `index` of a section, or its last row if `index` is too high; the section itself if it is empty.
 */
export function at(all: Lists, section: Section, index: number): Cursor {
	const rows = lists(all, section);
	const row = rows[Math.max(0, Math.min(index, rows.length - 1))];
	return row ? cursorOn(section, row) : {section};
}

function lists(all: Lists, section: Section): readonly Subject[] {
	return all[section];
}

function offset(all: Lists, section: Section): number {
	return sections.slice(0, sections.indexOf(section)).reduce((sum, name) => sum + lists(all, name).length, 0);
}

/** Start index for moving out of an empty section: one step reaches the adjacent row. */
function edge(all: Lists, section: Section, by: number): number {
	return by > 0 ? offset(all, section) - 1 : offset(all, section);
}
