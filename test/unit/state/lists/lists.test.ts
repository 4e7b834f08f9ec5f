import {describe, expect, test} from 'vitest';
import type {Computer, ProvisioningStep} from '../../../../src/domain/computers/computer.ts';
import type {KnownSession} from '../../../../src/domain/known.ts';
import {subjectKey} from '../../../../src/domain/sessions/attention.ts';
import {inboxItems, type ListFilter, type Lists} from '../../../../src/state/lists/lists.ts';
import {asks, fleet, knownComputer, knownSession, listsOf, noon, signal} from '../../../support/fleet.ts';

const data = fleet(
	[knownSession('s1', {cwd: '/w/Shop'}), knownSession('s2', {cwd: '/w/api'})],
	[
		knownComputer('build-box'),
		knownComputer('gpu', {provisioningSteps: [{name: 'install', status: 'failed', error: 'no disk'}]}),
	],
	[signal('s2', 'needs-permission', {message: 'May I push?'})],
);

test("the filter hides rows but doesn't change counts", () => {
	const lists = listsOf(data, {words: 'SHOP'});
	expect(lists.sessions.map(item => item.id)).toEqual(['s1']);
	expect([lists.needs, lists.computers, lists.hidden]).toEqual([[], [], {sessions: 1, computers: 2}]);
	expect(lists.counts).toEqual({
		needs: 2,
		working: 0,
		workingUntil: [],
		idle: 0,
		failed: 1,
		unread: 'reading',
	});
});

test('says whether the sessions were read, so that nobody takes what is unknown for nothing', () => {
	const unread = (sessions: readonly KnownSession[], problems = new Map()) =>
		listsOf({...fleet(sessions), problems}).counts.unread;
	const status = {value: 'idle', source: 'updated', at: noon} as const;
	const read = knownSession('read', {status, wasEmpty: true});
	const failed = new Map([['new', {kind: 'network', what: '', at: noon}]]);
	expect(unread([])).toBeUndefined();
	expect(unread([read])).toBeUndefined();
	expect(unread([read, knownSession('new')])).toBe('reading');
	expect(unread([read, knownSession('new', {status})])).toBe('reading');
	expect(unread([read, knownSession('new')], failed)).toBeUndefined();
	expect(unread([knownSession('new')], failed)).toBe('failed');
	expect(
		unread([
			read,
			knownSession('new', {
				session: {sessionId: 'new', sessionSettings: {archivedAt: '2026-01-01T00:00:00Z'}},
			}),
		]),
	).toBeUndefined();
});

test.each(['asks', 'push'])('a word on the row finds its session: %s', words => {
	const lists = listsOf(data, {words});
	expect([lists.needs.map(({id}) => id), lists.sessions]).toEqual([['s2'], []]);
});

test('showing only what needs me keeps sessions that ask and failed computers, all under Needs you', () => {
	const lists = listsOf(data, {needsOnly: true});
	expect(lists.needs.map(({kind, id}) => [kind, id])).toEqual([
		['session', 's2'],
		['computer', 'gpu'],
	]);
	expect(lists.sessions).toEqual([]);
	expect(lists.computers.map(item => item.id)).toEqual(['gpu']);
});

describe('a failed computer', () => {
	const failed = (step: Partial<ProvisioningStep> = {}): Partial<Computer> => ({
		provisioningSteps: [
			{name: 'clone', status: 'done'},
			{name: 'install', status: 'failed', error: 'no disk\nat 0x1', completedAt: noon - 60_000, ...step},
		],
	});
	const asking = (since: number) => signal('s', 'needs-input', {since, lastEventAt: since});
	const listed = (computer: Partial<Computer>, filter: Partial<ListFilter> = {}, since = noon) =>
		listsOf(
			fleet([knownSession('s')], [knownComputer('c', computer), knownComputer('d')], [asking(since)]),
			filter,
		);
	const needs = (lists: Lists) => lists.needs.map(({id}) => id);

	test('is listed after the sessions that ask, with the failed step and its error', () => {
		expect(needs(listed(failed()))).toEqual(['s', 'c']);
		expect(listed(failed()).needs[1]).toMatchObject({reason: 'install: no disk', since: noon - 60_000});
		expect(listed({status: 'error'}).needs[1]).toMatchObject({kind: 'computer', isFailed: true});
		expect(needs(listed({provisioningSteps: [{status: 'done'}]}))).toEqual(['s']);
	});

	test('leaves when acknowledged or snoozed, still counts as failed, and returns if it fails again', () => {
		const {episode = ''} = listed(failed()).needs[1] ?? {};
		const subject = {kind: 'computer', id: 'c'} as const;
		const marks = new Map([[subjectKey(subject), {subject, episode, kind: 'snoozed', at: noon} as const]]);
		const again = failed({completedAt: noon});
		const [set, anew] = [listed(failed(), {marks}), listed(again, {marks})];
		expect([needs(set), set.counts.needs, set.counts.failed]).toEqual([['s'], 1, 1]);
		expect(set.computers.map(({id, mark}) => [id, mark?.kind])).toContainEqual(['c', 'snoozed']);
		expect(needs(anew)).toEqual(['s', 'c']);
		expect(needs(listed(failed({error: 'no net'}), {marks}))).toContain('c');
		expect(listed(failed(), {marks, needsOnly: true}).computers).toEqual([]);
	});

	test.each([
		['s:waiting', ['s', 'c'], ['c']],
		['s:failed', ['c'], ['c']],
		['s:waiting !c:c', ['s'], []],
	])('is filtered like any other row: %s', (words, needing, computers) => {
		const lists = listed(failed(), {words});
		expect([needs(lists), lists.computers.map(({id}) => id)]).toEqual([needing, computers]);
	});
});

test('what needs the user is in the order of what it blocks, whatever the order of the others', () => {
	const at = (minutes: number) => ({since: noon - minutes * 60_000, lastEventAt: noon - minutes * 60_000});
	const answered = (id: string, minutes: number) =>
		knownSession(id, {
			pinned: id === 'pinned-answer',
			activity: {...asks, state: 'done', evidence: 'answer', unread: 1, at: noon - minutes * 60_000},
		});
	const data = fleet(
		[answered('answer', 30), answered('pinned-answer', 5), answered('old-answer', 90)],
		[knownComputer('gpu', {provisioningSteps: [{status: 'failed', completedAt: noon - 60_000}]})],
		[
			signal('question', 'needs-input', at(1)),
			signal('permission', 'needs-permission', at(20)),
			signal('failure', 'error', at(40)),
		],
	);
	const expected = ['permission', 'question', 'failure', 'gpu', 'pinned-answer', 'old-answer', 'answer'];
	for (const sort of ['attention', 'activity', 'name'] as const) {
		const lists = listsOf(data, {sort});
		expect(lists.needs.map(({id}) => id)).toEqual(expected);
		expect(inboxItems(lists.all).map(({id}) => id)).toEqual(expected);
		expect(lists.all.sessions.map(({id}) => id)).toEqual(expected.filter(id => id !== 'gpu'));
	}
});
