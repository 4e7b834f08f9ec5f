import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Computer} from '../../../../src/domain/computers/computer.ts';
import {progress} from '../../../../src/domain/computers/provisioning.ts';
import {computerColumns, computerRows} from '../../../../src/state/computers/computer-columns.ts';
import {conditionOf} from '../../../../src/state/computers/computer-items.ts';
import {createFilterables} from '../../../../src/state/lists/list-filtering.ts';
import {ordersOf} from '../../../../src/state/rows/column.ts';
import {rowIndex} from '../../../../src/state/rows/table-rows.ts';
import {fleet, knownComputer, knownSession, listsOf, noon, signal} from '../../../support/fleet.ts';

const filterables = createFilterables();
const step = (status: string, from?: number, to?: number) => ({
	name: `step ${status}`,
	status,
	...(from !== undefined && {startedAt: noon + from}),
	...(to !== undefined && {completedAt: noon + to}),
});

const computers = [
	knownComputer(
		'up',
		{name: 'Alpha', hostname: 'alpha.lan', remoteUser: 'dev', providerType: 'byom'},
		noon - 1,
	),
	knownComputer(
		'bad',
		{name: 'beta', status: 'error', provisioningSteps: [step('failed', 0, 9000)]},
		noon - 2,
	),
	knownComputer(
		'half',
		{name: 'gamma', provisioningSteps: [step('done', 0, 1000), step('failed', 1000, 2000)]},
		noon - 3,
	),
	knownComputer(
		'going',
		{
			name: 'delta',
			status: 'provisioning',
			provisioningSteps: [step('done', 0, 1000), step('running', 1000)],
		},
		noon - 4,
	),
	{id: 'new', origin: 'added', addedAt: noon - 5} as const,
	knownComputer('odd', {name: 'zeta', status: 'Hibernating'}, noon - 6),
];
const sessions = [
	knownSession('s1', {computerId: 'up'}),
	knownSession('s2', {computerId: 'up'}),
	knownSession('s3', {computerId: 'going'}),
	knownSession('s4', {
		computerId: 'up',
		session: {sessionId: 's4', sessionSettings: {archivedAt: '2026-01-01'}},
	}),
];
const known = fleet(sessions, computers, [signal('s3', 'needs-permission')]);
const all = listsOf(known).all;

const source = {
	elapsed: ({known: {computer}}: {known: {computer?: Computer}}) =>
		computer && progress(computer, () => undefined, noon + 5000).elapsed,
	filterables,
	problems: new Map([['odd', {what: 'It is gone.', at: noon}]]),
};
const rows = (words: string, order = 'state', isReversed = false) =>
	computerRows(all, {words, order, isReversed}, source).map(({item}) => item.id);

test.each<[string, string]>([
	['state', 'bad half going odd new up'],
	['name', 'up bad going half new odd'],
	['steps', 'bad half going odd new up'],
	['time', 'bad going half odd new up'],
	['sessions', 'going up bad half odd new'],
	['provider', 'up bad half going odd new'],
])('orders by %s: %s', (order, expected) => {
	expect(rows('', order).join(' ')).toBe(expected);
});

test('keeps unknown values last and ties in order when reversed', () => {
	expect(rows('', 'time', true).join(' ')).toBe('half going bad odd new up');
	expect(rows('', 'name', true).join(' ')).toBe('odd new half going bad up');
});

test("a row shows its steps, its sessions that aren't past, and whether its data is stale", () => {
	const [first] = computerRows(all, {words: 'alpha', order: 'name', isReversed: false}, source);
	expect(first).toMatchObject({sessions: 2, needs: 0, isStale: false, condition: {state: 'active'}});
	const [going] = computerRows(all, {words: 'delta', order: 'name', isReversed: false}, source);
	expect(going).toMatchObject({sessions: 1, needs: 1, condition: {state: 'provisioning', done: 1, total: 2}});
	const [odd] = computerRows(all, {words: 'zeta', order: 'name', isReversed: false}, source);
	expect(odd).toMatchObject({isStale: true, condition: {state: 'raw'}});
});

test.each([
	['alpha', 'up'],
	['s:failed', 'bad half'],
	['s:hibernating', 'odd'],
	['!s:active s:prov', 'going'],
	['c:gam', 'half'],
	['"own machine"', 'up'],
	['nothing-like-it', ''],
])('the filter %s matches: %s', (words, expected) => {
	expect(rows(words).join(' ')).toBe(expected);
});

test("a computer that the service can't find yet is starting, whatever is known of it", () => {
	const [item] = all.computers.filter(({id}) => id === 'going');
	expect(item && conditionOf({...item, isStarting: true}).state).toBe('starting');
	expect(item && conditionOf({...item, isMissing: true}).state).toBe('missing');
	expect(item && conditionOf(item).state).toBe('provisioning');
});

test('the cursor stays on its computer wherever it moves, and near its place if it is gone', () => {
	const computer = fc.record({
		id: fc.constantFrom(...'abcdefgh'),
		status: fc.constantFrom('active', 'error', 'provisioning', 'odd'),
		name: fc.string(),
	});
	const fleets = fc.uniqueArray(computer, {selector: ({id}) => id});
	fc.assert(
		fc.property(
			fleets,
			fc.constantFrom(...ordersOf(computerColumns)),
			fc.boolean(),
			fc.nat(9),
			(list, order, isReversed, before) => {
				const some = listsOf(
					fleet(
						[],
						list.map(one => knownComputer(one.id, one)),
					),
				).all;
				const shown = computerRows(some, {words: '', order, isReversed}, {...source, problems: new Map()});
				expect(shown.map(({item}) => item.id).sort()).toEqual(list.map(({id}) => id).sort());
				for (const id of 'abcdefgh') {
					const index = rowIndex(shown, id, before);
					if (list.some(one => one.id === id)) expect(shown[index]?.item.id).toBe(id);
					else expect(index).toBe(Math.max(0, Math.min(before, shown.length - 1)));
				}
			},
		),
	);
});
