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
