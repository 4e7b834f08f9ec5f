import fc from 'fast-check';
import {afterEach, describe, expect, test} from 'vitest';
import {openRoleMessages} from '../../../../src/commands/messages/role-messages.ts';
import {type MessageRole, messageRoles} from '../../../../src/domain/messages/message.ts';
import {type FollowerBench, followerBench} from '../../../support/follower-bench.ts';
import {threadOf} from '../../../support/thread-of.ts';

let bench: FollowerBench;
afterEach(() => bench.end());

const {signal} = new AbortController();
const minute = 60_000;

const shown = () =>
	(bench.stream('s')?.entries ?? []).flatMap(entry => (entry.kind === 'message' ? [entry] : []));
const roleRequests = () => bench.model.requests.filter(({query}) => query?.role).length;
const rightRole = ({id}: {id: string}) => bench.model.roleOf('s', id);
const roleOf = ({role}: {role?: MessageRole}) => role;

const orders = ['newest-first', 'oldest-first'] as const;

const session = fc.record({
	pages: fc.constantFrom(...orders),
	inside: fc.constantFrom(undefined, 'ascending' as const, 'descending' as const),
	pageSizes: fc.oneof(
		fc.constant([]),
		fc
			.array(fc.integer({min: 0, max: 100}), {minLength: 2, maxLength: 5})
			.filter(sizes => sizes.some(size => size > 9)),
	),
	runs: fc.array(fc.record({role: fc.constantFrom(...messageRoles), count: fc.integer({min: 1, max: 120})}), {
		minLength: 1,
		maxLength: 6,
	}),
});

test('gets every role and every filtered list of a session right, whatever its order and pages', async () => {
	await fc.assert(
		fc.asyncProperty(session, async ({pages, inside, pageSizes, runs}) => {
			await bench?.end();
			bench = followerBench({pages, ...(inside && {inside})});
			const {model} = bench;
			for (const {role, count} of runs) model.add('s', count, role);
			model.pagesAre = pageSizes;
			const follower = bench.open('s');
			while (shown().some(({role}) => !role) || bench.stream('s')?.phase.name !== 'ready')
				await bench.arrive();
			while (bench.stream('s')?.hasOlder) await follower.loadOlder();
			expect(shown().map(({id}) => id)).toEqual(model.ids('s'));
			expect(shown().map(roleOf)).toEqual(shown().map(rightRole));
			await bench.stop();
			model.clear();
			const {items} = await threadOf(bench).newest(1_000, signal);
			expect(items.map(roleOf)).toEqual(items.map(rightRole));
			expect(roleRequests()).toBe(0);
			for (const role of messageRoles) {
				const list = openRoleMessages({list: model.service.messages.list, sessionId: 's', role});
				const {items} = await list.newest(1_000, signal);
				expect(items.map(({id}) => id)).toEqual(model.ids('s').filter(id => rightRole({id}) === role));
			}
		}),
		{numRuns: 10},
	);
});

test('older messages cost at most two more requests a page, even after a change', async () => {
	bench = followerBench({pages: 'newest-first'});
	const {model} = bench;
	for (let turn = 0; turn < 200; turn++)
		for (const role of messageRoles) model.add('s', role === 'user' ? 1 : 2, role);
	bench.open('s');
	await bench.arrive();
	await bench.stop();
	bench = bench.restart();
	model.add('s', 1, 'user');
	const follower = bench.open('s');
	await bench.arrive();
	model.clear();
	while (bench.stream('s')?.hasOlder) await follower.loadOlder();
	expect(shown().map(roleOf)).toEqual(shown().map(rightRole));
	expect(roleRequests()).toBeLessThanOrEqual(2 * (model.requests.length - roleRequests()));
});

describe.each(orders)('%s', pages => {
	async function follow(): Promise<() => Promise<void>> {
		bench = followerBench({pages, isLive: true});
		for (const role of messageRoles) bench.model.add('s', 5, role);
		await bench.clock.advance(60 * minute);
		const follower = bench.open('s');
		follower.setFocused(true);
		await bench.clock.advance(minute);
		return async () => {
			follower.kick();
			await bench.arrive();
		};
	}

	test('new messages are looked for once more after a minute, as the lists may have lacked them', async () => {
		const poll = await follow();
		bench.model.roleLag = 25_000;
		for (const role of messageRoles) bench.model.add('s', 1, role);
		bench.model.clear();
		await poll();
		expect(shown().slice(-3).map(roleOf)).toEqual(['assistant', 'assistant', 'assistant']);
		expect(roleRequests()).toBe(2);
		await bench.clock.advance(2 * minute);
		expect(shown().slice(-3).map(roleOf)).toEqual([...messageRoles]);
		expect(roleRequests()).toBe(4);
		await bench.clock.advance(10 * minute);
		expect(roleRequests()).toBe(4);
	});

	test('a message that appears late between known ones is looked for', async () => {
		const poll = await follow();
		bench.model.lag = 20_000;
		const [late] = bench.model.add('s', 1, 'user');
		bench.model.lag = 0;
		bench.model.add('s', 1);
		await poll();
		await bench.clock.advance(90_000);
		expect(shown().at(-2)).toMatchObject({id: late, role: 'user'});
	});

	test('lists are read from the start after a refused cursor', async () => {
		const poll = await follow();
		bench.model.refuseCursors();
		bench.model.add('s', 1, 'tool');
		await poll();
		expect(shown().at(-1)?.role).toBe('tool');
	});
});
