import fc from 'fast-check';
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

test('whatever a filter leaves, every row is found at its place, and no other', () => {
	const states = ['needs-permission', 'working', 'idle', 'ended'] as const;
	const rows = fc.array(
		fc.record({state: fc.constantFrom(...states), name: fc.constantFrom('api', 'shop', 'docs')}),
		{
			maxLength: 40,
		},
	);
	fc.assert(
		fc.property(
			rows,
			fc.constantFrom('', 'api', '!api', 's:waiting', 'nothing'),
			fc.boolean(),
			(made, words, isAll) => {
				const known = fleet(
					made.map(({name}, index) => knownSession(`s${index}`, {name})),
					[knownComputer('api'), knownComputer('gpu')],
					made.map(({state}, index) => signal(`s${index}`, state)),
				);
				const lists = listsOf(known, emptyOutbox, {words, needsOnly: false, showsArchived: isAll});
				for (const section of ['needs', 'sessions'] as const)
					for (const [index, {id}] of lists[section].entries())
						expect(lists.places.sessions.get(id)).toEqual({section, index});
				const shown = new Set([...lists.needs, ...lists.sessions].map(({id}) => id));
				for (const {id} of lists.all.sessions)
					if (!shown.has(id)) expect(lists.places.sessions.get(id)).toBeUndefined();
				for (const [index, {id}] of lists.computers.entries())
					expect(lists.places.computers.get(id)).toEqual({section: 'computers', index});
				expect(lists.places.sessions.get('another')).toBeUndefined();
			},
		),
	);
});
