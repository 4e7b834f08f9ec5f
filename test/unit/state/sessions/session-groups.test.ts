import fc from 'fast-check';
import {expect, test} from 'vitest';
import {detailedRows, wantedLines} from '../../../../src/state/sessions/session-density.ts';
import {type SessionGroup, stateGroupOf} from '../../../../src/state/sessions/session-groups.ts';
import {cursorOn} from '../../../../src/state/view/cursor.ts';
import {cursorRow, needsList, sessionList, sessionsFrom} from '../../../../src/ui/panes/session-panes.tsx';
import {activity, fleet, knownSession, listsOf, noon, signal} from '../../../support/fleet.ts';
import {filterOf, fleetOf, weather} from '../../../support/storm.ts';

const listsIn = (now: Parameters<typeof filterOf>[0]) => listsOf(fleetOf(now), filterOf(now));

test("the header's counts match the list, whatever is sorted, collapsed and shown", () => {
	fc.assert(
		fc.property(weather, now => {
			const lists = listsIn({...now, filter: '', needsOnly: false, grouping: 'state'});
			const counted = (name: string) =>
				lists.groups.filter(group => group.name === name).reduce((sum, {count}) => sum + count, 0);
			const {needs, working, idle} = lists.counts;
			expect(lists.needs).toHaveLength(needs);
			expect({working, idle}).toEqual({
				working: counted('working'),
				idle: counted('idle'),
			});
		}),
		{numRuns: 200},
	);
});

test('a group counts its sessions that pass the filter, and lists them unless it is collapsed', () => {
	fc.assert(
		fc.property(weather, now => {
			const lists = listsIn(now);
			const open = listsIn({...now, collapsed: []});
			const parts = (groups: readonly SessionGroup[], all: readonly {id: string}[]) =>
				groups.map(({start}, index) => all.slice(start, groups[index + 1]?.start).map(({id}) => id));
			if (now.grouping === 'none') {
				expect(lists.groups).toEqual([]);
				return;
			}
			expect(lists.groups.map(({key}) => key)).toEqual(open.groups.map(({key}) => key));
			const [shown, whole] = [parts(lists.groups, lists.sessions), parts(open.groups, open.sessions)];
			for (const [index, {count, isCollapsed}] of lists.groups.entries()) {
				expect(whole[index]).toHaveLength(count);
				expect(shown[index]).toEqual(isCollapsed ? [] : whole[index]);
			}
			expect(new Set(lists.groups.map(({key}) => key)).size).toBe(lists.groups.length);
			for (const item of open.sessions) expect(stateGroupOf(item)).not.toBe('needs');
		}),
		{numRuns: 200},
	);
});

test('every session and heading is at its row of the panes, and the sessions below are counted', () => {
	fc.assert(
		fc.property(weather, fc.boolean(), (now, holdsNeeds) => {
			const lists = listsIn(now);
			const panes = holdsNeeds ? [sessionList(lists, true)] : [needsList(lists), sessionList(lists, false)];
			const [first] = panes;
			const isHeaded = holdsNeeds && lists.needs.length > 0 && lists.groups.length > 0;
			expect(first?.hasNeedsHeading).toBe(isHeaded);
			if (isHeaded) expect(first?.rows[0]).toEqual({});
			for (const section of ['needs', 'sessions'] as const)
				for (const item of lists[section]) {
					const rows = panes.map(pane => pane.rows[cursorRow(pane, lists, cursorOn(section, item))]?.item);
					expect(rows.filter(row => row !== undefined)).toEqual([item]);
				}
			for (const {key} of lists.groups) {
				const rows = panes.map(pane => cursorRow(pane, lists, {section: 'sessions', group: key}));
				const last = panes.at(-1);
				expect(last?.rows[rows.at(-1) ?? -1]?.group?.key).toBe(key);
			}
			const sessions = [...lists.needs, ...lists.sessions].filter(({kind}) => kind === 'session').length;
			const collapsed = lists.groups.filter(({isCollapsed}) => isCollapsed);
			const all = sessions + collapsed.reduce((sum, {count}) => sum + count, 0);
			if (holdsNeeds) expect(panes[0]?.count).toBe(all);
			for (const pane of panes)
				for (let index = 0; index <= pane.rows.length; index++)
					expect(sessionsFrom(pane, index)).toBe(pane.rows.slice(index).filter(({item}) => item).length);
		}),
		{numRuns: 200},
	);
});

test('an unknown state from the service heads a group under its own name', () => {
	const states = ['hibernating', 'hibernating', 'waking', 'idle'];
	const sessions = states.map((value, index) =>
		knownSession(`s${index}`, {status: {value, source: 'updated', at: noon}, wasEmpty: true}),
	);
	const {groups} = listsOf(fleet(sessions));
	expect(groups.map(({name, word, count}) => [name, word, count])).toEqual([
		['idle', undefined, 1],
		['other', 'hibernating', 2],
		['other', 'waking', 1],
	]);
});

test.each([
	['failure', 1, {state: 'failed', evidence: 'error'}],
	['question', 0, {state: 'asks', evidence: 'question'}],
] as const)('an old %s has its own group and counts as %i failed, not as idle', (_, failed, turn) => {
	const at = noon - 48 * 3_600_000;
	const old = activity({...turn, at, changedAt: at, unread: 0});
	const lists = listsOf(fleet([knownSession('s', {activity: old})]));
	expect(lists.groups.map(({name, count}) => [name, count])).toEqual([['earlier', 1]]);
	expect(lists.counts).toEqual({
		needs: 0,
		working: 0,
		workingUntil: [],
		idle: 0,
		failed,
	});
});

test('rows have two lines where they tell something, if everything fits or the others keep enough lines', () => {
	const items = (working: number, idle: number, subagents = 1) =>
		listsOf(
			fleet(
				Array.from({length: working + idle}, (_, index) =>
					knownSession(`s${index}`, {
						status: {value: index < working ? 'running' : 'idle', source: 'updated', at: noon},
						session: {sessionId: `s${index}`, subagents},
					}),
				),
			),
		).sessions;
	const pane = {density: 'automatic', height: 20, headings: 2, needsDetail: true} as const;
	const detailed = (...counts: Parameters<typeof items>) => {
		const all = items(...counts);
		return all.filter(detailedRows(all, pane)).length;
	};
	expect(detailed(3, 2)).toBe(3);
	expect(detailed(3, 30)).toBe(3);
	// 14 of 20 lines are for busy sessions.
	expect(detailed(10, 30)).toBe(4);
	expect(detailed(20, 30)).toBe(0);
	// Nothing more is known of them.
	expect(detailed(3, 2, 0)).toBe(0);
	// A wide list has one form of row, unless all are busy.
	const wide = (of: ReturnType<typeof items>, height: number) =>
		of.filter(detailedRows(of, {...pane, height, needsDetail: false})).length;
	expect([wide(items(3, 2), 20), wide(items(3, 0), 20), wide(items(10, 0), 20)]).toEqual([0, 3, 8]);
	// Where one line has no room for a reason, what needs the user has two, if there is a reason.
	const needing = (message?: string) => {
		const asking = (_: unknown, index: number) =>
			signal(`s${index}`, 'needs-input', {since: noon, ...(message && {message})});
		const signals = Array.from({length: 20}, asking);
		return listsOf(fleet([], [], signals)).needs;
	};
	const [needs, silent] = [needing('Which one?'), needing()];
	expect(needs.filter(detailedRows(needs, {...pane, height: 10}))).toHaveLength(20);
	expect(silent.filter(detailedRows(silent, {...pane, height: 10}))).toHaveLength(0);
	expect(
		needs.filter(detailedRows(needs, {...pane, height: 30, headings: 0, needsDetail: false})),
	).toHaveLength(10);
	expect([wantedLines(needs, 'automatic'), wantedLines(silent, 'automatic')]).toEqual([40, 20]);
	const all = items(1, 1);
	const one = {height: 20, headings: 2, needsDetail: true};
	expect(all.map(detailedRows(all, {density: 'detailed', ...one}))).toEqual([true, true]);
	expect(all.map(detailedRows(all, {density: 'compact', ...one}))).toEqual([false, false]);
});
