import type {Lists} from './lists.ts';
import {restoreSelection} from './restore-selection.ts';
import {type RowPlace, type Section, sections} from './row-places.ts';

/** The cursor of the lists: on a row, by its id, or in an empty section. Data never moves it. */
export type Cursor = {readonly section: Section; readonly id?: string};

/** Where the cursor's row is now: a session that began to need the user takes the cursor along to its new section. */
export function placeOf({places}: Lists, cursor: Cursor | undefined): RowPlace | undefined {
	if (cursor?.id === undefined) return undefined;
	return (cursor.section === 'computers' ? places.computers : places.sessions).get(cursor.id);
}

/** The cursor after the data changed: its row if it is still there, else its nearest neighbour that is. */
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

/** `by` rows down (up when negative), through all sections, never out of them. */
export function moveCursor(all: Lists, cursor: Cursor | undefined, by: number): Cursor | undefined {
	const place = placeOf(all, cursor);
	const start = place ? offset(all, place.section) + place.index : edge(all, cursor?.section ?? 'needs', by);
	return rowAt(all, start + by) ?? cursor;
}

/** A row counted through all sections, or the nearest one there is. */
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

/** The row of a section at `index`, or the last one before it; the section itself when it is empty. */
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

/** From an empty section, one step leads to the row beside it. */
function edge(all: Lists, section: Section, by: number): number {
	return by > 0 ? offset(all, section) - 1 : offset(all, section);
}
