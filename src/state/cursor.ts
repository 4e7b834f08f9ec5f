import {type Lists, type Section, sections} from './lists.ts';

/** The cursor of the lists: on a row, by its id, or in an empty section. Data never moves it. */
export type Cursor = {readonly section: Section; readonly id?: string};

type Place = {readonly section: Section; readonly index: number};

/** Where the cursor's row is now: a session that began to need the user takes the cursor along to its new section. */
export function placeOf(lists: Lists, cursor: Cursor | undefined): Place | undefined {
	if (cursor?.id === undefined) return undefined;
	for (const section of sections) {
		if ((section === 'computers') !== (cursor.section === 'computers')) continue;
		const index = lists[section].findIndex(item => item.id === cursor.id);
		if (index >= 0) return {section, index};
	}
	return undefined;
}

/** The cursor after the data changed: its row if it is still there, else the row that took its place. */
export function keepCursor(
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
	const index = (before && placeOf(before, cursor)?.index) ?? 0;
	const next = at(after, cursor.section, index);
	return next.id === cursor.id ? cursor : next;
}

/** `by` rows down (up when negative), through all sections, never out of them. */
export function moveCursor(all: Lists, cursor: Cursor | undefined, by: number): Cursor | undefined {
	const rows = sections.flatMap(section => lists(all, section).map(item => ({section, id: item.id})));
	if (rows.length === 0) return cursor;
	const place = placeOf(all, cursor);
	const start = place ? offset(all, place.section) + place.index : edge(all, cursor?.section ?? 'needs', by);
	return rows[Math.max(0, Math.min(rows.length - 1, start + by))];
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
