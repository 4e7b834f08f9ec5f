import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type KnownSession, leastMessagesOf, messageCountOf} from '../../../../src/domain/known.ts';
import type {SessionActivity} from '../../../../src/domain/sessions/activity.ts';
import type {Session} from '../../../../src/domain/sessions/session.ts';
import {createFilterables} from '../../../../src/state/lists/list-filtering.ts';
import {ordersOf} from '../../../../src/state/rows/column.ts';
import {
	countMarked,
	sessionsToActOn,
	unmarked,
	withAllMarks,
	withMark,
} from '../../../../src/state/sessions/marked-sessions.ts';
import {sessionColumns} from '../../../../src/state/sessions/session-columns.ts';
import {createSessionTable} from '../../../../src/state/sessions/session-table.ts';
import {createViewStore, withSessions} from '../../../../src/state/view/view.ts';
import {activity, fleet, knownComputer, knownSession, listsOf, noon, signal} from '../../../support/fleet.ts';

const filterables = createFilterables();
const orders = ordersOf(sessionColumns);
const turn = (state: SessionActivity['state'], at: number, unread: number) =>
	activity({state, at, derivedFrom: 'm', changedAt: at, unread});
const session = (id: string, snapshot: Partial<Session> = {}, more: Partial<KnownSession> = {}) =>
	knownSession(id, {session: {sessionId: id, ...snapshot}, fetchedAt: noon, ...more});

const sessions = [
	session(
		'asks',
		{
			title: 'Login 10',
			messageCount: 4,
			sessionSettings: {
				model: 'model-b',
				tags: [{name: 'web'}],
				tokenUsage: {inputTokens: 100, outputTokens: 20},
			},
		},
		{computerId: 'box-10', activity: turn('asks', noon - 300, 1), addedAt: noon - 1},
	),
	session(
		'failed',
		{title: 'login 9', messageCount: 40, sessionSettings: {model: 'model-a', tokenUsage: {}}},
		{computerId: 'box-9', activity: turn('failed', noon - 100, 2), addedAt: noon - 2},
	),
	session(
		'works',
		{
			title: 'Alpha',
			updatedAt: noon - 50,
			sessionSettings: {tags: [{name: 'infra'}], tokenUsage: {outputTokens: 7}},
		},
		{activity: turn('working', noon - 900, 0), addedAt: noon - 3},
	),
	// Nothing was ever read of it.
	knownSession('new', {addedAt: noon - 4}),
	session('old', {title: 'Old', sessionSettings: {archivedAt: '2026-01-01'}}, {addedAt: noon - 5}),
];
const computers = [knownComputer('box-9', {name: 'box-9'}), knownComputer('box-10', {name: 'box-10'})];
const {all} = listsOf(fleet(sessions, computers, [signal('hooked', 'ended')]));

function rows(words: string, order: string = 'state', isReversed = false, showsArchived = false) {
	return createSessionTable()(all, {words, order, isReversed, showsArchived}, filterables);
}
const ids = (...query: Parameters<typeof rows>) =>
	rows(...query)
		.map(({item}) => item.id)
		.join(' ');

test.each<[string, string, string]>([
	['state', 'asks failed works new', 'works failed asks new'],
	['title', 'works failed asks new', 'new asks failed works'],
	['computer', 'failed asks works new', 'asks failed works new'],
	['model', 'failed asks works new', 'asks failed works new'],
	['messages', 'failed asks works new', 'works asks failed new'],
	['unread', 'failed asks works new', 'works asks failed new'],
	['tokens', 'asks works failed new', 'works asks failed new'],
	['activeAt', 'failed asks works new', 'works asks failed new'],
	['tags', 'works asks failed new', 'asks works failed new'],
])('orders by %s, with unknown values last both ways', (order, expected, reversed) => {
	expect(ids('', order)).toBe(expected);
	expect(ids('', order, true)).toBe(reversed);
});

test("an unknown value isn't zero, and a change of settings isn't activity", () => {
	const row = (id: string) => rows('').find(({item}) => item.id === id);
	expect(row('new')).toEqual({
		item: all.sessionsById.get('new'),
		hasMoreMessages: false,
		isUnreadPartial: false,
		tags: [],
	});
	expect(row('failed')?.tokens).toBeUndefined();
	expect(row('works')).toMatchObject({tokens: 7, unread: 0, activeAt: noon - 900});
	expect(row('asks')).toMatchObject({tokens: 120, messages: 4, unread: 1, activeAt: noon - 300});
});

test.each([
	['login', 'asks failed'],
	['s:waiting', 'asks failed'],
	['c:box-9', 'failed'],
	['#web', 'asks'],
	['title:login', 'asks failed'],
	['!model:model-a !title:alpha', 'asks new'],
	['!s:waiting', 'works new'],
	['is:archived', 'old'],
	['nothing-like-it', ''],
])('the filter %s matches: %s', (words, expected) => {
	expect(ids(words)).toBe(expected);
});

test('lists old questions and failures after everything that needs the user', () => {
	const read = [
		session('old-question', {}, {activity: turn('asks', noon - 47 * 3_600_000, 0), addedAt: noon}),
		session('old-failure', {}, {activity: turn('failed', noon - 48 * 3_600_000, 1), addedAt: noon}),
		session('answered', {}, {activity: turn('done', noon - 30, 1), addedAt: noon}),
		session('failed', {}, {activity: turn('failed', noon - 40, 1), addedAt: noon}),
	];
	const lists = listsOf(fleet(read, computers));
	const query = {words: '', order: 'state', isReversed: false, showsArchived: false} as const;
	expect(createSessionTable()(lists.all, query, filterables).map(({item}) => item.id)).toEqual([
		'failed',
		'answered',
		'old-question',
		'old-failure',
	]);
});

test('lists archived and ended sessions when they are shown', () => {
	expect(ids('', 'state', false, true).split(' ').sort()).toEqual(
		['asks', 'failed', 'hooked', 'new', 'old', 'works'].sort(),
	);
});

describe('marks', () => {
	const known = all.sessionsById;

	test('an action applies to the marked sessions, or else to the one at the cursor', () => {
		const view = createViewStore().getState();
		const on = (marked: readonly string[], sessions?: string) => {
			const marking = withSessions({...view, tableCursors: {sessions}}, {marked: new Set(marked)});
			return sessionsToActOn(marking, known).map(({id}) => id);
		};
		expect(on(['works', 'asks'], 'new')).toEqual(['works', 'asks']);
		expect(on([], 'new')).toEqual(['new']);
		expect(on([])).toEqual([]);
		// One that was forgotten meanwhile counts no more, but the cursor's session never takes its place.
		expect(on(['gone', 'asks'], 'new')).toEqual(['asks']);
		expect(on(['gone'], 'new')).toEqual([]);
	});

	test('marking all marks the rows shown, and doing it again unmarks only those', () => {
		const shown = rows('login');
		const some = withMark(new Set<string>(), 'works');
		const more = withAllMarks(some, shown);
		expect([...more]).toEqual(['works', 'asks', 'failed']);
		expect([...withAllMarks(more, shown)]).toEqual(['works']);
		expect(countMarked({marked: more}, shown, known)).toEqual({marked: 3, hidden: 1});
		expect(countMarked({marked: new Set(['gone', 'asks'])}, shown, known)).toEqual({marked: 1, hidden: 0});
	});

	test('an action removes the marks of its sessions', () => {
		const view = withSessions(createViewStore().getState(), {marked: new Set(['asks', 'failed'])});
		expect([...unmarked(view, ['asks', 'works']).sessions.marked]).toEqual(['failed']);
	});

	test('marks stay with their sessions, whatever the order and filter', () => {
		const id: fc.Arbitrary<string> = fc.constantFrom('asks', 'failed', 'works', 'new', 'old', 'hooked');
		fc.assert(
			fc.property(
				fc.array(id),
				fc.constantFrom(...orders),
				fc.boolean(),
				fc.constantFrom('', 'login', '#web', 'nothing'),
				(toggled, order, isReversed, words) => {
					const marked = toggled.reduce<ReadonlySet<string>>(withMark, new Set());
					const expected = new Set(
						toggled.filter(one => toggled.filter(two => two === one).length % 2 === 1),
					);
					const shown = rows(words, order, isReversed);
					expect(marked).toEqual(expected);
					const count = countMarked({marked}, shown, known);
					expect(count.marked).toBe(expected.size);
					expect(count.marked - count.hidden).toBe(shown.filter(({item}) => expected.has(item.id)).length);
				},
			),
		);
	});
});

const answer = activity({at: 20, changedAt: 20, unread: 0});
const counted = (messageCount: number, fetchedAt: number) => ({
	session: {sessionId: 's', messageCount},
	fetchedAt,
});
const storing = (count: number, isWhole = true) => ({activity: {...answer, stored: {count, isWhole}}});

test.each<[string, Partial<KnownSession>, number | undefined, boolean]>([
	['nothing was told', {}, undefined, false],
	['the service counted none', counted(0, 10), 0, false],
	['a message has come since', {...counted(0, 10), activity: answer}, 1, true],
	['nobody counted, and some are unread', {activity: {...answer, unread: 3}}, 3, true],
	['the count is older than the newest message', {...counted(3, 19), activity: answer}, 3, true],
	['the count is as new', {...counted(3, 20), activity: answer}, 3, false],
	['more are stored than an old count says', {...counted(0, 10), ...storing(10, false)}, 10, true],
	['all are stored', {...counted(0, 10), ...storing(10)}, 10, false],
	['fewer are stored than counted', {...counted(3, 21), ...storing(2)}, 3, false],
	['more are stored than counted later', {...counted(3, 21), ...storing(4)}, 4, false],
	['more are stored than counted later, with a gap', {...counted(3, 21), ...storing(4, false)}, 4, true],
])('messages of a session: %s', (_, more, messages, hasMore) => {
	const known = knownSession('s', more);
	const query = {words: '', order: 'state', isReversed: false, showsArchived: false} as const;
	const [row] = createSessionTable()(listsOf(fleet([known])).all, query, filterables);
	expect([row?.messages, row?.hasMoreMessages]).toEqual([messages, hasMore]);
	expect([leastMessagesOf(known), messageCountOf(known)]).toEqual([messages, hasMore ? undefined : messages]);
});
