import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type KnownSession, leastMessagesOf, messageCountOf} from '../../../../src/domain/known.ts';
import type {SessionActivity} from '../../../../src/domain/sessions/activity.ts';
import type {Session} from '../../../../src/domain/sessions/session.ts';
import {createFilterables} from '../../../../src/state/lists/list-filtering.ts';
import {createListBuilder} from '../../../../src/state/lists/lists.ts';
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
import {nextOf} from '../../../../src/state/view/view-states.ts';
import {emptyOutbox, fleet, knownComputer, knownSession, noon, signal} from '../../../support/fleet.ts';

const filterables = createFilterables();
const orders = ordersOf(sessionColumns);
const activity = (state: SessionActivity['state'], at: number, unread: number): SessionActivity => ({
	state,
	evidence: 'answer',
	at,
	newestId: 'm',
	derivedFrom: 'm',
	changedAt: at,
	unread,
});
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
		{computerId: 'box-10', activity: activity('asks', noon - 300, 1), addedAt: noon - 1},
	),
	session(
		'failed',
		{title: 'login 9', messageCount: 40, sessionSettings: {model: 'model-a', tokenUsage: {}}},
		{computerId: 'box-9', activity: activity('failed', noon - 100, 2), addedAt: noon - 2},
	),
	session(
		'works',
		{
			title: 'Alpha',
			updatedAt: noon - 50,
			sessionSettings: {tags: [{name: 'infra'}], tokenUsage: {outputTokens: 7}},
		},
		{activity: activity('working', noon - 900, 0), addedAt: noon - 3},
	),
	// Nothing was ever read of it.
	knownSession('new', {addedAt: noon - 4}),
	session('old', {title: 'Old', sessionSettings: {archivedAt: '2026-01-01'}}, {addedAt: noon - 5}),
];
const computers = [knownComputer('box-9', {name: 'box-9'}), knownComputer('box-10', {name: 'box-10'})];
const {all} = createListBuilder().lists(
	fleet(sessions, computers, [signal('hooked', 'ended')]),
	emptyOutbox,
	{
		words: '',
		needsOnly: false,
	},
);

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
		session('old-question', {}, {activity: activity('asks', noon - 47 * 3_600_000, 0), addedAt: noon}),
		session('old-failure', {}, {activity: activity('failed', noon - 48 * 3_600_000, 1), addedAt: noon}),
		session('answered', {}, {activity: activity('done', noon - 30, 1), addedAt: noon}),
		session('failed', {}, {activity: activity('failed', noon - 40, 1), addedAt: noon}),
	];
	const lists = createListBuilder().lists(fleet(read, computers), emptyOutbox, {words: '', needsOnly: false});
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

test('cycles through the orders', () => {
	let order: string = 'state';
	const visited = orders.map(() => (order = nextOf(orders, order)));
	expect(visited).toEqual([...orders.slice(1), 'state']);
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

test('a session with messages never counts as empty, whatever the service said earlier', () => {
	const activity = {
		state: 'working',
		evidence: 'user-message',
		at: 20,
		newestId: 'm',
		changedAt: 20,
		unread: 0,
	} as const;
	const row = (known: Partial<KnownSession>) => {
		const {all} = createListBuilder().lists(fleet([knownSession('s', known)]), emptyOutbox, {
			words: '',
			needsOnly: false,
		});
		const query = {words: '', order: 'state', isReversed: false, showsArchived: false} as const;
		const [first] = createSessionTable()(all, query, createListBuilder().filterables);
		return [first?.messages, first?.hasMoreMessages];
	};
	const session = {sessionId: 's', messageCount: 0};
	expect(row({session, fetchedAt: 10})).toEqual([0, false]);
	expect(row({session, fetchedAt: 10, activity})).toEqual([1, true]);
	expect(row({activity: {...activity, unread: 3}})).toEqual([3, true]);
	const stored = {count: 10, isWhole: false};
	expect(row({session, fetchedAt: 10, activity: {...activity, stored}})).toEqual([10, true]);
	const whole = {count: 10, isWhole: true};
	expect(row({session, fetchedAt: 10, activity: {...activity, stored: whole}})).toEqual([10, false]);
	expect(row({})).toEqual([undefined, false]);
});

test('ignores a message count that is older than the newest message', () => {
	const session = {sessionId: 's', messageCount: 3};
	const activity = {
		state: 'done',
		evidence: 'answer',
		at: 20,
		newestId: 'm',
		changedAt: 20,
		unread: 0,
	} as const;
	const count = (fetchedAt: number) => messageCountOf(knownSession('s', {session, activity, fetchedAt}));
	expect([count(19), count(20), messageCountOf(undefined)]).toEqual([undefined, 3, undefined]);
});

test('a session has as many messages as are stored here, whatever lower count the service gave later', () => {
	const session = {sessionId: 's', messageCount: 3};
	const beside = (count: number, isWhole = true) => {
		const activity = {
			state: 'done',
			evidence: 'answer',
			at: 20,
			newestId: 'm',
			changedAt: 20,
			unread: 0,
			stored: {count, isWhole},
		} as const;
		const known = knownSession('s', {session, activity, fetchedAt: 21});
		return [leastMessagesOf(known), messageCountOf(known)];
	};
	expect([2, 3, 4].map(count => beside(count))).toEqual([
		[3, 3],
		[3, 3],
		[4, 4],
	]);
	expect(beside(4, false)).toEqual([4, undefined]);
});
