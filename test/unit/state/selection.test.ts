import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Cursor, moveCursor, placeOf, restoreCursor} from '../../../src/state/cursor.ts';
import {inboxItems} from '../../../src/state/inbox.ts';
import {createListBuilder, type Lists} from '../../../src/state/lists.ts';
import {restoreSelection} from '../../../src/state/restore-selection.ts';
import {sections} from '../../../src/state/row-places.ts';
import {emptyOutbox} from '../../support/fleet.ts';
import {filterOf, fleetOf, weather} from '../../support/storm.ts';

const rowsOf = (lists: Lists) => sections.flatMap(section => lists[section].map(({id}) => ({section, id})));

test('a storm of updates never moves the selection off a row that is there, and else no further than the nearest', () => {
	fc.assert(
		fc.property(fc.array(weather, {minLength: 2, maxLength: 12}), fc.nat(12), (storm, start) => {
			const listBuilder = createListBuilder();
			let before: Lists | undefined;
			let cursor: Cursor | undefined;
			for (const now of storm) {
				const after = listBuilder.lists(fleetOf(now), emptyOutbox, filterOf(now));
				const kept = restoreCursor(before, after, cursor);
				if (before && cursor?.id !== undefined) {
					const isThere = placeOf(after, cursor) !== undefined;
					if (isThere)
						expect([kept?.id, kept?.section === 'computers']).toEqual([
							cursor.id,
							cursor.section === 'computers',
						]);
					else expectNearest(before, after, cursor, kept);
				}
				// The cursor is on a row, or in a section that has none.
				if (kept?.id === undefined) expect(kept === undefined || after[kept.section].length === 0).toBe(true);
				else expect(placeOf(after, kept)?.section).toBe(kept.section);
				cursor = before ? kept : moveCursor(after, kept, start);
				before = after;
			}
		}),
		{numRuns: 600},
	);
});

/** No row that stood nearer to the lost one in its list is still there. */
function expectNearest(before: Lists, after: Lists, cursor: Cursor, kept: Cursor | undefined): void {
	const old = placeOf(before, cursor);
	if (!old) return;
	const rows = before[old.section];
	const distance = (id: string | undefined) => Math.abs(rows.findIndex(row => row.id === id) - old.index);
	const survivors = rows.filter(({id}) => placeOf(after, {section: cursor.section, id}) !== undefined);
	if (survivors.length === 0) return;
	expect(survivors.map(({id}) => id)).toContain(kept?.id);
	expect(distance(kept?.id)).toBe(Math.min(...survivors.map(({id}) => distance(id))));
}

test('the inbox keeps its selection in the same storm', () => {
	fc.assert(
		fc.property(fc.array(weather, {minLength: 2, maxLength: 12}), fc.nat(9), (storm, start) => {
			const listBuilder = createListBuilder();
			const inbox = (now: (typeof storm)[number]) =>
				inboxItems(listBuilder.lists(fleetOf(now), emptyOutbox, filterOf(now)).all.sessions);
			const [first, ...rest] = storm;
			if (!first) return;
			let before = inbox(first);
			let id = before[Math.min(start, before.length - 1)]?.id;
			for (const now of rest) {
				const after = inbox(now);
				const ids = new Set(after.map(item => item.id));
				const at = before.findIndex(item => item.id === id);
				const next = restoreSelection(before, at, one => ids.has(one));
				if (id !== undefined && ids.has(id)) expect(next).toBe(id);
				else if (before.some(item => ids.has(item.id)) && at >= 0) expect(ids.has(next ?? '')).toBe(true);
				id = next ?? after[0]?.id;
				before = after;
			}
		}),
		{numRuns: 500},
	);
});

test('every row is where its place says, once, whatever is filtered and sorted', () => {
	fc.assert(
		fc.property(weather, now => {
			const lists = createListBuilder().lists(fleetOf(now), emptyOutbox, filterOf(now));
			for (const section of sections)
				for (const [index, {id}] of lists[section].entries())
					expect(placeOf(lists, {section, id})).toEqual({section, index});
			const rows = rowsOf(lists);
			expect(new Set(rows.map(({section, id}) => `${section === 'computers'} ${id}`)).size).toBe(rows.length);
			// Pinned rows stand before the others of their group.
			for (const list of [lists.needs, lists.sessions.filter(item => item.client === undefined)])
				if (now.sort !== 'computer' || list === lists.needs)
					expect(list.map(item => item.isPinned === true)).toEqual(
						list.map(item => item.isPinned === true).toSorted((a, b) => Number(b) - Number(a)),
					);
			expect(lists.needs.every(item => item.mark === undefined)).toBe(true);
		}),
		{numRuns: 500},
	);
});
