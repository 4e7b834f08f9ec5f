import {expect, test} from 'vitest';
import {closingNote} from '../../../src/app/closing-note.ts';
import {createStores} from '../../../src/state/stores.ts';
import {fleet, knownComputer, knownSession, noon} from '../../support/fleet.ts';

test('once the screen is closed, agents that go on on other machines are told, and no others', () => {
	const stores = createStores();
	expect(closingNote(stores)).toBe('');
	const busy = (id: string, computerId: string) =>
		knownSession(id, {computerId, status: {value: 'running', source: 'updated', at: noon}});
	const host = {ssh: 'devbox'};
	const computers = [
		knownComputer('here'),
		knownComputer('far', {name: 'devbox', host}),
		knownComputer('idle', {name: 'gpu', host}),
	];
	const idle = knownSession('c', {computerId: 'idle', status: {value: 'idle', source: 'updated', at: noon}});
	stores.fleet.setState(fleet([busy('a', 'here'), busy('b', 'far'), idle], computers));
	expect(closingNote(stores)).toBe('1 agent keeps working on devbox.\n');
	stores.fleet.setState(fleet([busy('a', 'far'), busy('b', 'far')], computers));
	expect(closingNote(stores)).toBe('2 agents keep working on devbox.\n');
});
