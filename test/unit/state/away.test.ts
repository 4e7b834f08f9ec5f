import {expect, test} from 'vitest';
import type {KnownSession} from '../../../src/domain/known.ts';
import type {OutboxItem} from '../../../src/domain/messages/delivery.ts';
import type {SessionActivity} from '../../../src/domain/sessions/activity.ts';
import type {Signal} from '../../../src/domain/sessions/signal.ts';
import {awayEntries} from '../../../src/state/away.ts';
import {createListBuilder} from '../../../src/state/lists/lists.ts';
import {activity, fleet, knownComputer, knownSession, listsOf, noon, signal} from '../../support/fleet.ts';

const minute = 60_000;
const since = noon;
const later = noon + 10 * minute;

const turn = (more: Partial<SessionActivity>): Partial<KnownSession> => ({
	activity: activity({at: later, changedAt: later, words: 'Done.', ...more}),
});

function entriesOf(
	sessions: readonly KnownSession[],
	signals: readonly Signal[] = [],
	computers: Parameters<typeof fleet>[1] = [],
	changes = new Map<string, number>(),
) {
	const {all} = listsOf(fleet(sessions, computers, signals));
	return awayEntries(all, since, changes);
}

test.each<[string, Partial<SessionActivity>, object | undefined]>([
	['an answer', {}, {event: 'done', words: 'Done.', at: later}],
	['an answer that was on the screen meanwhile', {unread: 0}, {event: 'done'}],
	['a question', {state: 'asks', evidence: 'question'}, {event: 'asks'}],
	['an error', {state: 'failed', evidence: 'error'}, {event: 'failed'}],
	['new messages at work', {state: 'working', evidence: 'tool-call', unread: 3}, {event: 'working'}],
	['work that was on the screen', {state: 'working', evidence: 'tool-call', unread: 0}, {event: 'working'}],
	['their own message', {state: 'working', evidence: 'user-message', unread: 0}, undefined],
	['an answer from before', {changedAt: since}, undefined],
])('decides whether and how to report %s', (_, more, expected) => {
	const entries = entriesOf([knownSession('s', turn(more))]);
	if (expected) expect(entries).toMatchObject([{kind: 'session', id: 's', ...expected}]);
	else expect(entries).toEqual([]);
});

test.each([
	['needs-permission', 'asks'],
	['needs-input', 'asks'],
	['error', 'failed'],
	['done', 'done'],
	['idle', undefined],
] as const)('decides whether and how to report a hook event with the state %s', (state, event) => {
	const asked = signal('s', state, {since: later, lastEventAt: later, message: 'May I push?'});
	const entries = entriesOf([knownSession('s')], [asked]);
	expect(entries.map(entry => entry.event)).toEqual(event ? [event] : []);
	expect(entriesOf([knownSession('s')], [{...asked, since: since - 1}])).toEqual([]);
});

test('reports computers that came up or failed by the end of their last step, or when that was seen', () => {
	const step = (completedAt: number, more = {}) => ({
		id: '1',
		name: 'clone',
		status: 'done',
		completedAt,
		...more,
	});
	const computers = [
		knownComputer('up', {provisioningSteps: [step(later)]}),
		knownComputer('failed', {
			status: 'error',
			provisioningSteps: [step(later + 1, {status: 'failed', error: 'no such host'})],
		}),
		knownComputer('seen', {status: 'error'}),
		knownComputer('before', {provisioningSteps: [step(since - 1)]}),
		knownComputer('unknown', {status: 'error'}),
		knownComputer('running', {status: 'provisioning', provisioningSteps: [step(later)]}),
	];
	expect(entriesOf([], [], computers, new Map([['seen', later + 2]]))).toMatchObject([
		{kind: 'computer', id: 'seen', event: 'provisioning-failed'},
		{kind: 'computer', id: 'failed', event: 'provisioning-failed', words: 'clone: no such host'},
		{kind: 'computer', id: 'up', event: 'up'},
	]);
});

test('lists the newest first, and each session once', () => {
	const session = (id: string, changedAt: number) => knownSession(id, turn({changedAt}));
	const sessions = [session('b', later), session('c', later + 1), session('a', later)];
	expect(entriesOf(sessions).map(({id}) => id)).toEqual(['c', 'a', 'b']);
});

test('leaves out an archived session', () => {
	const archived = {session: {sessionId: 's', sessionSettings: {archivedAt: '2026-11-01T10:00:00Z'}}};
	expect(entriesOf([knownSession('s', {...turn({unread: 0}), ...archived})])).toEqual([]);
});

test.each(['failed', 'unconfirmed'] as const)('reports a message that is %s', state => {
	const message = {id: 'o', sessionId: 's', text: 'Go on', state, createdAt: later} as OutboxItem;
	const outbox = {bySession: new Map([['s', [message]]])};
	const {all} = createListBuilder().lists(fleet([knownSession('s')]), outbox, {words: '', needsOnly: false});
	const event = state === 'failed' ? 'unsent' : state;
	expect(awayEntries(all, since)).toMatchObject([{id: 's', event, at: later}]);
});
