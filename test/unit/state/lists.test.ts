import {expect, test} from 'vitest';
import {listsOf} from '../../../src/state/lists.ts';
import {emptyOutbox, fleet, knownComputer, knownSession, signal} from '../../support/fleet.ts';

const data = fleet(
	[knownSession('s1', {cwd: '/w/Shop'}), knownSession('s2', {cwd: '/w/api'})],
	[
		knownComputer('build-box'),
		knownComputer('gpu', {provisioningSteps: [{name: 'install', status: 'failed', error: 'no disk'}]}),
	],
	[signal('s2', 'needs-permission')],
);

test('the filter hides rows, not counts', () => {
	const lists = listsOf(data, emptyOutbox, {words: 'SHOP', needsOnly: false});
	expect(lists.sessions.map(item => item.id)).toEqual(['s1']);
	expect([lists.needs, lists.computers, lists.hidden]).toEqual([[], [], 3]);
	expect(lists.counts).toEqual({needs: 1, working: 0, pending: 0, idle: 0, errors: 1});
});

test('needs me only keeps sessions that ask and computers that failed', () => {
	const lists = listsOf(data, emptyOutbox, {words: '', needsOnly: true});
	expect(lists.needs.map(item => item.id)).toEqual(['s2']);
	expect(lists.sessions).toEqual([]);
	expect(lists.computers.map(item => item.id)).toEqual(['gpu']);
});
