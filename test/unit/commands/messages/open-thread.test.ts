import {afterEach, expect, test} from 'vitest';
import {boundedMessages} from '../../../../src/commands/messages/messages.ts';
import {openThread} from '../../../../src/commands/messages/open-thread.ts';
import {openRoleMessages} from '../../../../src/commands/messages/role-messages.ts';
import {type FollowerBench, followerBench} from '../../../support/follower-bench.ts';
import {threadOf} from '../../../support/thread-of.ts';

let bench: FollowerBench;
afterEach(() => bench.end());

const {signal} = new AbortController();

const thread = () => threadOf(bench);

test.each([
	{pages: 'newest-first', count: 330},
	{pages: 'oldest-first', count: 330},
	{pages: 'newest-first', count: 3},
] as const)('reads all messages, to the very first: $count, ', async ({pages, count}) => {
	bench = followerBench({pages});
	const ids = bench.model.add('s', count);
	const opened = thread();
	await opened.update(signal);
	const {items, isWhole} = await opened.newest(1000, signal);
	expect(items.map(({id}) => id)).toEqual(ids);
	expect(isWhole).toBe(true);
});

test.each(['newest-first', 'oldest-first'] as const)('reads all messages again if asked: %s', async pages => {
	bench = followerBench({pages});
	const ids = bench.model.add('s', 330);
	await thread().newest(1000, signal);
	bench.model.edit('s', ids[5] ?? '', 'later');
	bench.model.clear();
	const {items} = await thread().newest(Number.POSITIVE_INFINITY, signal);
	expect(items.map(({id}) => id)).toEqual(ids);
	expect(items[5]?.message.content).toEqual([{text: 'later'}]);
	expect(bench.model.requests.length).toBeLessThanOrEqual(5);
});

test("stops, with what it has, when the service's cursors lead back to the first page", async () => {
	bench = followerBench({pages: 'newest-first'});
	const ids = bench.model.add('s', 330);
	const {list} = bench.model.service.messages;
	let asked = 0;
	bench.model.service.messages.list = async (id, {cursor, ...query} = {}, options) => {
		if (++asked > 50) throw new Error('It is asked for ever.');
		return {...(await list(id, query, options)), nextCursor: 'back'};
	};
	const opened = thread();
	await opened.update(signal);
	const {items, isWhole} = await opened.newest(1000, signal);
	expect(items.map(({id}) => id)).toEqual(ids.slice(-100));
	expect(isWhole).toBe(false);
});

test.each(['newest-first', 'oldest-first'] as const)('polls return what is new alone: %s', async pages => {
	bench = followerBench({pages});
	bench.model.add('s', 30, 'user');
	await thread().newest(10, signal);
	const opened = thread();
	await opened.newest(10, signal);
	const added = bench.model.add('s', 2, 'user');
	expect((await opened.update(signal)).items.map(({id, role}) => [id, role])).toEqual(
		added.map(id => [id, 'user']),
	);
	const {list} = bench.model.service.messages;
	const ofRole = openRoleMessages({list, sessionId: 's', role: 'user', pageOrder: pages});
	await ofRole.newest(100, signal);
	bench.model.add('s', 1, 'assistant');
	const next = bench.model.add('s', 1, 'user');
	expect((await ofRole.poll(signal)).map(({id}) => id)).toEqual(next);
});

test.each(['newest-first', 'oldest-first'] as const)(
	'sends no cursor to another computer: %s',
	async pages => {
		bench = followerBench({pages});
		const ids = bench.model.add('s', 330);
		await thread().newest(10, signal);
		bench.model.clear();
		const {items} = await threadOf(bench, 'c-7').newest(1000, signal);
		expect(items.map(({id}) => id)).toEqual(ids);
		const cursors = bench.model.requests.flatMap(({query}) => query?.cursor ?? []);
		expect(cursors.filter(cursor => !cursor.includes(',c-7/'))).toEqual([]);
	},
);

test.each(['newest-first', 'oldest-first'] as const)(
	'knows whether there are older messages: %s',
	async pages => {
		bench = followerBench({pages});
		const {model} = bench;
		model.add('s', 21, 'assistant');
		const reading = thread();
		expect((await reading.newest(20, signal)).hasOlder).toBe(true);
		expect((await reading.newest(21, signal)).hasOlder).toBe(false);
		const ofRole = () =>
			openRoleMessages({
				list: model.service.messages.list,
				sessionId: 's',
				role: 'assistant',
				pageOrder: pages,
			});
		expect((await ofRole().newest(20, signal)).hasOlder).toBe(true);
		expect((await ofRole().newest(21, signal)).hasOlder).toBe(false);
		model.add('s', 300, 'assistant');
		expect((await thread().newest(20, signal)).hasOlder).toBe(true);
	},
);

test.each(['newest-first', 'oldest-first'] as const)(
	'stops reading at the memory limit, and says so: %s',
	async pages => {
		bench = followerBench({pages});
		const {model, database, clock} = bench;
		const ids = model.add('s', 1200, 'assistant');
		const bounded = boundedMessages(model.service.messages.list, {
			limits: {items: 450, bytes: 1e9},
			onRead: () => {},
		});
		const service = {...model.service, messages: {...model.service.messages, list: bounded.list}};
		const opened = openThread({
			sessionId: 's',
			service,
			database,
			clock,
			safeWrite: write => write(),
		});
		const {items, isWhole} = await opened.newest(1200, signal);
		const read = pages === 'newest-first' ? ids.slice(-500) : ids.slice(0, 500);
		expect(items.map(({id}) => id)).toEqual(read);
		expect({isWhole, isCut: bounded.isCut, read: bounded.read}).toEqual({
			isWhole: false,
			isCut: true,
			read: 500,
		});
		// The newest ten are at hand only where the listing begins with them.
		expect((await opened.newest(10, signal)).isWhole).toBe(pages === 'newest-first');

		bounded.restart();
		const ofRole = openRoleMessages({list: bounded.list, sessionId: 's', role: 'assistant'});
		const listed = await ofRole.newest(1200, signal);
		expect(listed.items.map(({id}) => id)).toEqual(read);
		expect({isWhole: listed.isWhole, isCut: bounded.isCut}).toEqual({isWhole: false, isCut: true});
	},
);
