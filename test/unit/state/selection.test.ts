import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Subject, subjectKey} from '../../../src/domain/sessions/attention.ts';
import {
	createListBuilder,
	groupOf,
	inboxItems,
	type Lists,
	type NeedsItem,
} from '../../../src/state/lists/lists.ts';
import {sections} from '../../../src/state/lists/row-positions.ts';
import {restoreSelection} from '../../../src/state/rows/table-rows.ts';
import {urgencyOf} from '../../../src/state/sessions/session-sort.ts';
import {
	type Cursor,
	cursorAt,
	cursorOn,
	isOnComputer,
	moveCursor,
	positionOf,
	restoreCursor,
} from '../../../src/state/view/cursor.ts';
import {emptyOutbox, fleet, knownSession, listsOf, signal} from '../../support/fleet.ts';
import {filterOf, fleetOf, weather} from '../../support/storm.ts';

const rowsOf = (lists: Lists) =>
	sections.flatMap(section => lists[section].map(row => cursorOn(section, row)));

/** Whether a collapsed group hides the session. */
const isHidden = (lists: Lists, id: string) => groupOf(lists, id)?.isCollapsed === true;

test('a storm of updates keeps the selection on its row, or moves it to the nearest one left', () => {
	fc.assert(
		fc.property(fc.array(weather, {minLength: 2, maxLength: 12}), fc.nat(12), (storm, start) => {
			const listBuilder = createListBuilder();
			let before: Lists | undefined;
			let cursor: Cursor | undefined;
			for (const now of storm) {
				const after = listBuilder.lists(fleetOf(now), emptyOutbox, filterOf(now));
				const kept = restoreCursor(before, after, cursor);
				if (before && cursor?.id !== undefined) {
					const isThere = positionOf(after, cursor) !== undefined;
					if (isThere)
						expect([kept?.id, kept && isOnComputer(kept)]).toEqual([cursor.id, isOnComputer(cursor)]);
					else if (!isOnComputer(cursor) && isHidden(after, cursor.id))
						expect(kept).toEqual({section: 'sessions', group: groupOf(after, cursor.id)?.key});
					else expectNearest(before, after, cursor, kept);
				}
				// The cursor is on a row, on the heading of a collapsed group, or in a section that has neither.
				const isEmpty = kept && after[kept.section].length === 0;
				if (kept?.id === undefined && kept?.group === undefined) expect(isEmpty ?? true).toBe(true);
				else expect(positionOf(after, kept)?.section).toBe(kept.section);
				// Keys act on what is listed, never on what a collapsed group hides.
				if (kept?.id !== undefined) expect(rowsOf(after)).toContainEqual(kept);
				if (kept?.group !== undefined)
					expect(after.groups.find(({key}) => key === kept.group)?.isCollapsed).toBe(true);
				cursor = before ? kept : moveCursor(after, kept, start);
				before = after;
			}
		}),
		{numRuns: 200},
	);
});

/** No row that stood nearer to the lost one in its list is still there. */
function expectNearest(before: Lists, after: Lists, cursor: Cursor, kept: Cursor | undefined): void {
	const old = positionOf(before, cursor);
	if (!old || cursor.id === undefined) return;
	const rows: readonly Subject[] = before[old.section];
	const keyOf = (row: Subject | undefined) => row && subjectKey(row);
	const from = rows.findIndex(
		({id, kind}) => id === cursor.id && (kind === 'computer') === isOnComputer(cursor),
	);
	const distance = (key: string | undefined) => Math.abs(rows.findIndex(row => keyOf(row) === key) - from);
	const survivors = rows.filter(row => positionOf(after, cursorOn(old.section, row)) !== undefined);
	if (survivors.length === 0) return;
	const keptKey =
		kept?.id === undefined
			? undefined
			: subjectKey({kind: isOnComputer(kept) ? 'computer' : 'session', id: kept.id});
	expect(survivors.map(keyOf)).toContain(keptKey);
	expect(distance(keptKey)).toBe(Math.min(...survivors.map(row => distance(keyOf(row)))));
}

test('the inbox keeps its selection in the same storm of updates', () => {
	fc.assert(
		fc.property(fc.array(weather, {minLength: 2, maxLength: 12}), fc.nat(9), (storm, start) => {
			const listBuilder = createListBuilder();
			const inbox = (now: (typeof storm)[number]) =>
				inboxItems(listBuilder.lists(fleetOf(now), emptyOutbox, filterOf(now)).all).map(subjectKey);
			const [first, ...rest] = storm;
			if (!first) return;
			let before = inbox(first);
			let id = before[Math.min(start, before.length - 1)];
			for (const now of rest) {
				const after = inbox(now);
				const ids = new Set(after);
				const at = id === undefined ? -1 : before.indexOf(id);
				const next = restoreSelection(before, at, one => ids.has(one));
				if (id !== undefined && ids.has(id)) expect(next).toBe(id);
				else if (before.some(one => ids.has(one)) && at >= 0) expect(ids.has(next ?? '')).toBe(true);
				id = next ?? after[0];
				before = after;
			}
		}),
		{numRuns: 200},
	);
});

test('every row is at the position reported for it, once, whatever is filtered and sorted', () => {
	fc.assert(
		fc.property(weather, now => {
			const lists = listsOf(fleetOf(now), filterOf(now));
			for (const section of sections)
				for (const row of lists[section]) {
					const cursor = cursorOn(section, row);
					const place = positionOf(lists, cursor);
					expect(cursorAt(lists, section, place?.index ?? -1)).toEqual(cursor);
				}
			for (const {key, isCollapsed} of lists.groups) {
				const heading = {section: 'sessions', group: key} as const;
				const place = positionOf(lists, heading);
				expect(place !== undefined).toBe(isCollapsed);
				if (place) expect(cursorAt(lists, 'sessions', place.index)).toEqual(heading);
			}
			// A failed computer is among what needs the user, too.
			const rows = rowsOf(lists).filter(({isComputer}) => !isComputer);
			expect(new Set(rows.map(({section, id}) => `${section === 'computers'} ${id}`)).size).toBe(rows.length);
			const shown = new Set([...lists.needs, ...lists.sessions].map(({id}) => id));
			for (const {id} of [...lists.all.sessions, {id: 'another'}])
				if (!shown.has(id)) expect(positionOf(lists, {section: 'sessions', id})).toBeUndefined();
			// Pinned rows stand before the others of their group.
			const isPinned = (item: NeedsItem) => item.kind === 'session' && item.isPinned === true;
			const starts = lists.groups.map(({start}) => start);
			const groups = starts.map((start, index) => lists.sessions.slice(start, starts[index + 1]));
			const urgencies = Map.groupBy(lists.needs, urgencyOf).values();
			for (const list of [...urgencies, ...groups])
				expect(list.map(isPinned)).toEqual(list.map(isPinned).toSorted((a, b) => Number(b) - Number(a)));
			if (now.filter === '') expect(lists.needs.length).toBe(lists.counts.needs);
			expect(lists.needs.every(item => item.mark === undefined)).toBe(true);
		}),
		{numRuns: 200},
	);
});

test('the cursor goes to the first row elsewhere if a filter empties its section', () => {
	const data = fleet([knownSession('calm'), knownSession('asks')], [], [signal('asks', 'needs-input')]);
	const filtered = (words: string) => listsOf(data, {words});
	const all = filtered('');
	expect(restoreCursor(all, filtered('asks'), {section: 'sessions', id: 'calm'})).toEqual({
		section: 'needs',
		id: 'asks',
	});
	// An empty section that the user has gone to keeps the cursor.
	expect(restoreCursor(all, filtered('asks'), {section: 'sessions'})).toEqual({section: 'sessions'});
});
