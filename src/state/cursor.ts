import type {Lists} from './lists.ts';
import {restoreSelection} from './restore-selection.ts';
import {type RowPlace, type Section, sections} from './row-places.ts';

/**
 * The cursor of the lists: on a row, by id, or in an empty section. Data changes never move it to another
 * row.
 */
export type Cursor = {readonly section: Section; readonly id?: string};

/**
 * The current place of the cursor's row. When a session starts to need the user, the cursor follows it to its
 * new section.
 */
export function placeOf({places}: Lists, cursor: Cursor | undefined): RowPlace | undefined {
	if (cursor?.id === undefined) return undefined;
	return (cursor.section === 'computers' ? places.computers : places.sessions).get(cursor.id);
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
	if (place) return place.section === cursor.section ? cursor : {...cursor, section: place.section};
	const next = neighbor(before, after, cursor) ?? at(after, cursor.section, 0);
	return next.id === cursor.id ? cursor : next;
}

function neighbor(before: Lists | undefined, after: Lists, cursor: Cursor): Cursor | undefined {
	const old = before && placeOf(before, cursor);
	if (!old) return undefined;
	const {section} = cursor;
	const id = restoreSelection(
		lists(before, old.section),
		old.index,
		one => placeOf(after, {section, id: one}) !== undefined,
	);
	const place = placeOf(after, {section, ...(id !== undefined && {id})});
	return place && id !== undefined ? {section: place.section, id} : undefined;
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
		const id = lists(all, section)[index]?.id;
		if (id !== undefined) return {section, id};
		index -= lists(all, section).length;
	}
	return undefined;
}

/**
 * The row at `index` of a section, or its last row if `index` is too high; the section itself if it is empty.
 */
export function at(all: Lists, section: Section, index: number): Cursor {
	const rows = lists(all, section);
	const id = rows[Math.max(0, Math.min(index, rows.length - 1))]?.id;
	return id === undefined ? {section} : {section, id};
}

function lists(all: Lists, section: Section): readonly {readonly id: string}[] {
	return all[section];
}

function offset(all: Lists, section: Section): number {
	return sections.slice(0, sections.indexOf(section)).reduce((sum, name) => sum + lists(all, name).length, 0);
}

/** Start index for moving out of an empty section: one step reaches the adjacent row. */
function edge(all: Lists, section: Section, by: number): number {
	return by > 0 ? offset(all, section) - 1 : offset(all, section);
}
