import {expect, test} from 'vitest';
import {computerItems, conditionOf} from '../../../../src/state/computers/computer-items.ts';
import {fleet, knownComputer} from '../../../support/fleet.ts';

const shown = (...computers: Parameters<typeof fleet>[1] & object) =>
	computerItems(fleet([], computers)).map(item => [item.name, conditionOf(item).state]);

test('this machine is starting, not unread, until it is first read', () => {
	const {computer: _, ...unread} = knownComputer('1d903e36-0000');
	const local = {...unread, origin: 'local'} as const;
	expect(shown(local)).toEqual([['this machine', 'starting']]);
	expect(shown({...local, computer: {id: local.id, name: 'vm', status: 'active'}})).toEqual([
		['vm', 'active'],
	]);
	expect(shown({...local, origin: 'added'})).toEqual([['1d903e36', 'unread']]);
});

/** What a computer with steps of these statuses comes down to. */
function stateOf(status: string, ...steps: readonly string[]): string {
	const known = knownComputer('c', {
		status,
		provisioningSteps: steps.map((word, index) => ({id: `${index}`, name: `step ${index}`, status: word})),
	});
	return conditionOf({kind: 'computer', id: 'c', name: 'c', known, isFailed: false}).state;
}

test.each([
	[
		'what waits behind a failed step of a computer in use is not on its way',
		'active',
		['completed', 'failed', 'pending'],
		'failed',
	],
	['one of its steps runs again', 'active', ['completed', 'failed', 'running'], 'provisioning'],
	['its retry was accepted and has not begun', 'active', ['completed', 'pending'], 'provisioning'],
	['it goes on in spite of a failed step', 'provisioning', ['failed', 'pending'], 'provisioning'],
	['all is over', 'active', ['completed', 'skipped'], 'active'],
	['it failed as a whole', 'error', ['failed', 'pending'], 'error'],
	['a word that we do not know', 'hibernating', [], 'raw'],
])('%s', (_, status, steps, state) => {
	expect(stateOf(status, ...steps)).toBe(state);
});

test('lists failed computers first, then those being provisioned, and the newest of one state first', () => {
	const names = shown(
		knownComputer('old', {}, 1),
		knownComputer('new', {}, 4),
		knownComputer('coming', {status: 'provisioning'}, 2),
		knownComputer('broken', {status: 'error'}, 3),
	).map(([name]) => name);
	expect(names).toEqual(['broken', 'coming', 'new', 'old']);
});
