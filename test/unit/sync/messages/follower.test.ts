import {afterEach, describe, expect, test} from 'vitest';
import {RejectedError, ServerError} from '../../../../src/api/errors.ts';
import {type FollowerBench, followerBench} from '../../../support/follower-bench.ts';
import {notFound} from '../../../support/listing-model.ts';

let bench: FollowerBench;
afterEach(() => bench.end());

/** A session that was read to its end, and gained more than two pages after the program had ended. */
async function readAndLeft(): Promise<{
	readonly before: readonly string[];
	readonly after: readonly string[];
}> {
	bench = followerBench({pages: 'newest-first'});
	const before = bench.model.add('s', 50);
	bench.open('s');
	await bench.arrive();
	await bench.stop();
	return {before, after: bench.model.add('s', 250)};
}

/** The service gives first pages alone, until the answer is called. */
function failBeyondFirst(): () => void {
	let isDown = true;
	bench.model.intercept = ({query}) => {
		if (isDown && query?.cursor !== undefined) throw new ServerError('Down.', {hint: 'Wait.', status: 500});
	};
	return () => {
		isDown = false;
	};
}

const orders = [
	{pages: 'newest-first', inside: 'descending'},
	{pages: 'newest-first', inside: 'ascending'},
	{pages: 'oldest-first', inside: 'ascending'},
	{pages: 'oldest-first', inside: 'descending'},
] as const;

describe.each(orders)('pages , $inside within a page', order => {
	test('shows a long history in its own order, and polls with one request at rest', async () => {
		bench = followerBench(order);
		const ids = bench.model.add('s', 250);
		const follower = bench.open('s');
		follower.setFocused(true);
		await bench.arrive();
		await bench.arrive();
		expect(bench.stream('s')?.phase).toEqual({name: 'ready'});
		expect(bench.shown('s')).toEqual(ids.slice(-bench.shown('s').length));
		expect(bench.shown('s').length).toBeGreaterThanOrEqual(100);
		bench.model.clear();
		await bench.clock.advance(60_000);
		const before = bench.model.requests.length;
		bench.model.clear();
		await bench.clock.advance(60_000);
		await bench.clock.advance(60_000);
		expect(before).toBeGreaterThan(0);
		expect(bench.model.requests.length).toBeGreaterThan(0);
		for (const {query} of bench.model.requests) {
			expect(query?.role).toBeUndefined();
			// Oldest first, the cursor of the last page is good for its limit alone.
			expect(query?.limit).toBeLessThanOrEqual(order.pages === 'newest-first' ? 20 : 100);
		}
		bench.model.clear();
		follower.refresh();
		await bench.arrive();
		bench.model.clear();
		await bench.clock.advance(260);
		expect(bench.model.requests).toHaveLength(1);
	});

	test('a new message costs at most two more requests, and its role is known', async () => {
		bench = followerBench(order);
		bench.model.add('s', 3, 'user');
		bench.model.add('s', 160, 'tool');
		bench.model.add('s', 60);
		const follower = bench.open('s');
		await bench.arrive();
		await bench.arrive();
		const entries = bench.stream('s')?.entries ?? [];
		expect(entries.filter(entry => entry.kind === 'message' && entry.role === undefined)).toEqual([]);
		const [asked = ''] = bench.model.add('s', 1, 'user');
		const [called = ''] = bench.model.add('s', 1, 'tool');
		const [answered = ''] = bench.model.add('s', 1);
		bench.model.clear();
		follower.kick();
		await bench.arrive();
		expect(bench.model.requests.length).toBeLessThanOrEqual(3);
		expect(bench.shown('s').slice(-3)).toEqual([asked, called, answered]);
		const roles = bench.stream('s')?.entries.slice(-3);
		expect(roles?.map(entry => entry.kind === 'message' && entry.role)).toEqual([
			'user',
			'tool',
			'assistant',
		]);
	});

	test('a message that grows while streaming changes one entry', async () => {
		bench = followerBench(order);
		const ids = bench.model.add('s', 30);
		const follower = bench.open('s');
		await bench.arrive();
		const before = bench.stream('s')?.entries ?? [];
		bench.model.edit('s', ids.at(-1) ?? '', 'a longer text');
		bench.model.clear();
		follower.kick();
		await bench.arrive();
		const after = bench.stream('s')?.entries ?? [];
		expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
		expect(after.every((entry, index) => index === after.length - 1 || entry === before[index])).toBe(true);
		expect(after.at(-1)?.version).toBeGreaterThan(before.at(-1)?.version ?? 0);
		expect(bench.model.requests[0]?.query?.role).toBeUndefined();
	});

	test('a message far back that changed later is read again on request', async () => {
		bench = followerBench(order);
		const ids = bench.model.add('s', 150);
		const follower = bench.open('s');
		await bench.arrive();
		const textOf = (id = '') =>
			(bench.stream('s')?.entries ?? []).flatMap(entry =>
				entry.id === id && entry.kind === 'message' ? [entry.message.content?.[0]?.text] : [],
			)[0];
		const changed = ids[60];
		bench.model.edit('s', changed ?? '', 'later');
		follower.kick();
		await bench.arrive();
		expect(textOf(changed)).toBe(changed);
		follower.refresh();
		await bench.arrive();
		expect(textOf(changed)).toBe('later');
		bench.model.clear();
		await bench.clock.advance(60_000);
		expect(
			bench.model.requests.filter(({query}) => query?.cursor === undefined && order.pages === 'oldest-first'),
		).toEqual([]);
	});

	test('shows what is cached at once after a restart, and reads only what is new', async () => {
		bench = followerBench(order);
		const ids = bench.model.add('s', 250);
		bench.open('s');
		await bench.arrive();
		await bench.stop();
		const more = bench.model.add('s', 2);
		bench.model.clear();
		const again = bench.restart();
		again.open('s');
		expect(again.stream('s')?.phase).toEqual({name: 'loading'});
		expect(again.shown('s')).toEqual(ids.slice(-200));
		await again.arrive();
		expect(again.stream('s')?.phase).toEqual({name: 'ready'});
		expect(again.shown('s').slice(-3)).toEqual([ids.at(-1), ...more]);
		expect(bench.model.requests.length).toBeLessThanOrEqual(3);
		await again.stop();
		expect(again.clock.pending).toBe(0);
	});
});

test('a long absence leaves a gap that is filled on demand', async () => {
	bench = followerBench({pages: 'newest-first'});
	const before = bench.model.add('s', 150);
	bench.open('s');
	await bench.arrive();
	await bench.stop();
	const after = bench.model.add('s', 620);
	const again = bench.restart();
	const follower = again.open('s');
	await again.arrive();
	const gap = again.stream('s')?.entries.find(entry => entry.kind === 'gap');
	expect(gap).toBeDefined();
	expect(again.shown('s').slice(0, 151)).toEqual([...before, 'gap']);
	for (let turn = 0; turn < 10 && again.shown('s').includes('gap'); turn++) {
		const filling = follower.fillGap(gap?.id ?? '');
		await again.arrive();
		await filling;
		await again.arrive();
	}
	expect(again.shown('s')).toEqual([...before, ...after]);
	await again.stop();
});

test('the rest of a session is read to disk on request, past gaps too, until it is no longer wanted', async () => {
	await readAndLeft();
	const again = bench.restart();
	const older = bench.model.add('long', 720);
	again.open('s');
	const follower = again.open('long');
	await again.arrive();
	let pagesLeft = 2;
	const some = follower.readRest(() => pagesLeft-- > 0);
	await again.clock.advance(5_000);
	await some;
	expect(again.stream('long')?.hasUnread).toBe(true);
	expect(bench.database.messages.count('long')).toBe(400);
	const rest = follower.readRest(() => true);
	await again.clock.advance(5_000);
	await rest;
	expect(again.stream('long')?.hasUnread).toBe(false);
	expect(bench.database.messages.count('long')).toBe(older.length);
	await again.stop();
});

test('a first walk from the oldest end shows its progress and happens once', async () => {
	bench = followerBench({pages: 'oldest-first', latency: 5});
	const ids = bench.model.add('s', 2_350);
	const phases = new Set<string>();
	bench.stores.streams.subscribe(({open}) => {
		const stream = open.get('s');
		if (stream) phases.add(stream.phase.name);
	});
	bench.open('s');
	await bench.clock.advance(1_000);
	expect([...phases]).toEqual(['loading', 'walking', 'ready']);
	expect(bench.shown('s').at(-1)).toBe(ids.at(-1));
	expect(bench.database.messages.count('s')).toBe(2_350);
	const lists = bench.model.requests.filter(({query}) => !query?.role);
	expect(lists.length).toBeLessThanOrEqual(24 + 5);
	await bench.stop();
	bench.model.clear();
	const again = bench.restart();
	again.open('s');
	await again.clock.advance(200);
	expect(bench.model.requests).toHaveLength(1);
	await again.stop();
});

test('an interrupted first walk keeps what it read, and continues from there', async () => {
	bench = followerBench({pages: 'oldest-first'});
	const ids = bench.model.add('s', 2_350);
	const {messages} = bench.database;
	/** The last message before the page that the kept cursor leads to, and how many are kept: it and a page more. */
	const kept: [number, number][] = [];
	let pages = 0;
	bench.model.intercept = () => {
		const before = Number(messages.listing('s').lastPageCursor?.split('/')[2]);
		if (messages.count('s') > 0) kept.push([before, messages.count('s')]);
		if (++pages > 14) throw new ServerError('broken', {status: 500, hint: ''});
	};
	bench.open('s');
	await bench.arrive();
	expect(kept.length).toBeGreaterThan(5);
	for (const [before, count] of kept) expect(count).toBe(before + 101);
	expect(messages.count('s')).toBeGreaterThan(1_000);
	expect(messages.count('s') % 500).not.toBe(0);
	await bench.stop();
	bench.model.intercept = () => {};
	bench.model.clear();
	const again = bench.restart();
	again.open('s');
	for (let turn = 0; turn < 3; turn++) await again.arrive();
	expect(again.database.messages.count('s')).toBe(2_350);
	expect(again.shown('s').at(-1)).toBe(ids.at(-1));
	expect(bench.model.requests[0]?.query?.cursor).toBeDefined();
	await again.stop();
});

test.each(['newest-first', 'oldest-first'] as const)(
	'reads on after a refused cursor, pages %s',
	async pages => {
		bench = followerBench({pages});
		const ids = bench.model.add('s', 330);
		const follower = bench.open('s');
		await bench.arrive();
		bench.model.refuseCursors();
		follower.kick();
		await bench.arrive();
		for (let turn = 0; turn < 5 && bench.stream('s')?.hasOlder; turn++) {
			const loading = follower.loadOlder();
			await bench.arrive();
			await loading;
		}
		expect(bench.shown('s')).toEqual(ids);
		expect(bench.stream('s')?.phase.name).toBe('ready');
	},
);

test('shows the newest messages even if the service refuses every cursor', async () => {
	bench = followerBench({pages: 'newest-first'});
	const ids = bench.model.add('s', 330);
	bench.model.intercept = ({query}) => {
		if (query?.cursor !== undefined)
			throw new RejectedError('No cursors.', {hint: 'Start again.', status: 400});
	};
	const follower = bench.open('s');
	follower.setFocused(true);
	await bench.arrive();
	expect(bench.stream('s')?.phase.name).toBe('ready');
	expect(bench.shown('s')).toEqual(ids.slice(-100));
	const [next = ''] = bench.model.add('s', 1);
	follower.kick();
	await bench.arrive();
	expect(bench.shown('s')).toEqual([...ids.slice(-100), next]);
	const loading = follower.loadOlder();
	await bench.arrive();
	await loading;
	expect(bench.stream('s')).toMatchObject({hasOlder: true});
	expect(bench.stream('s')?.isLoadingOlder).toBe(false);
	bench.model.intercept = () => {};
	while (bench.stream('s')?.hasOlder) {
		const more = follower.loadOlder();
		await bench.arrive();
		await more;
	}
	expect(bench.shown('s')).toEqual([...ids, next]);
});

test('shows what the first read brought before it failed, and continues from there', async () => {
	bench = followerBench({pages: 'newest-first'});
	const ids = bench.model.add('s', 330);
	const mend = failBeyondFirst();
	const follower = bench.open('s');
	await bench.arrive();
	expect(bench.shown('s')).toEqual(ids.slice(-100));
	expect(bench.stream('s')?.phase.name).toBe('failed');
	mend();
	follower.kick();
	await bench.arrive();
	expect(bench.stream('s')?.phase.name).toBe('ready');
	while (bench.stream('s')?.hasOlder) {
		const more = follower.loadOlder();
		await bench.arrive();
		await more;
	}
	expect(bench.shown('s')).toEqual(ids);
});

test.each(['fails', 'ends'])('catching up that %s halfway leaves a gap, which is filled', async how => {
	const {before, after} = await readAndLeft();
	const mend = failBeyondFirst();
	let again = bench.restart();
	let follower = again.open('s');
	await again.arrive();
	expect(again.shown('s')).toEqual([...before, 'gap', ...after.slice(-100)]);
	mend();
	if (how === 'ends') {
		await again.stop();
		again = bench.restart();
		follower = again.open('s');
	} else follower.kick();
	await again.arrive();
	const gapOf = () => again.stream('s')?.entries.find(entry => entry.kind === 'gap')?.id;
	for (let gap = gapOf(); gap !== undefined; gap = gapOf()) {
		const filling = follower.fillGap(gap);
		await again.arrive();
		await filling;
	}
	expect(again.shown('s')).toEqual([...before, ...after]);
	if (how === 'fails')
		expect(again.stream('s')?.entries.filter(entry => entry.kind === 'message' && !entry.role)).toEqual([]);
	await again.stop();
});

test('messages that arrive after catching up failed halfway leave no second gap', async () => {
	const {before, after} = await readAndLeft();
	const mend = failBeyondFirst();
	const again = bench.restart();
	const follower = again.open('s');
	await again.arrive();
	mend();
	const last = bench.model.add('s', 30);
	follower.kick();
	await again.arrive();
	expect(again.shown('s')).toEqual([...before, 'gap', ...after.slice(-100), ...last]);
	await again.stop();
});

test("catching up leaves a gap if the service's cursors lead back", async () => {
	const {before, after} = await readAndLeft();
	const {list} = bench.model.service.messages;
	bench.model.service.messages.list = async (id, {cursor, ...query} = {}, options) => ({
		...(await list(id, query, options)),
		nextCursor: 'back',
	});
	const again = bench.restart();
	again.open('s');
	await again.arrive();
	expect(again.shown('s')).toEqual([...before, 'gap', ...after.slice(-100)]);
	await again.stop();
});

test.each(['newest-first', 'oldest-first'] as const)(
	'asks after a restart who wrote the cached messages, pages %s',
	async pages => {
		bench = followerBench({pages});
		bench.model.add('s', 5, 'user');
		bench.model.add('s', 5);
		bench.open('s');
		await bench.arrive();
		bench.model.intercept = ({query}) => {
			if (query?.role) throw new ServerError('Down.', {hint: 'Wait.', status: 500});
		};
		bench.model.add('s', 1, 'user');
		await bench.clock.advance(30_000);
		expect(bench.stream('s')?.entries.at(-1)).toMatchObject({role: undefined});
		await bench.stop();
		bench.model.intercept = () => {};
		const again = bench.restart();
		again.open('s');
		await again.arrive();
		expect(again.stream('s')?.entries.at(-1)).toMatchObject({role: 'user'});
		await again.stop();
	},
);

test("doesn't take a cursor that leads back to known messages for the start of the history", async () => {
	bench = followerBench({pages: 'newest-first'});
	const ids = bench.model.add('s', 330);
	const follower = bench.open('s');
	await bench.arrive();
	const {list} = bench.model.service.messages;
	let isAstray = true;
	bench.model.service.messages.list = async (id, query = {}, options) => {
		if (!isAstray || query.role) return list(id, query, options);
		const {cursor, ...first} = query;
		const page = await list(id, first, options);
		return {...page, nextCursor: 'astray'};
	};
	for (let turn = 0; turn < 2; turn++) {
		const loading = follower.loadOlder();
		await bench.arrive();
		await loading;
	}
	expect(bench.stream('s')?.hasOlder).toBe(true);
	isAstray = false;
	while (bench.stream('s')?.hasOlder) {
		const loading = follower.loadOlder();
		await bench.arrive();
		await loading;
	}
	expect(bench.shown('s')).toEqual(ids);
});

test('keeps loading a session we just created until it is found, but fails an unknown one', async () => {
	bench = followerBench({pages: 'newest-first'});
	let isKnown = false;
	bench.model.intercept = () => {
		if (!isKnown) throw notFound();
	};
	bench.registry.addSession('new', 'created');
	bench.open('new');
	bench.open('strange');
	await bench.arrive();
	expect(bench.stream('new')?.phase.name).toBe('loading');
	expect(bench.stream('strange')?.phase.name).toBe('failed');
	isKnown = true;
	await bench.clock.advance(3_000);
	expect(bench.stream('new')?.phase.name).toBe('ready');
});

test("doesn't believe a service that ignores the role filter", async () => {
	bench = followerBench({pages: 'newest-first'});
	bench.model.add('s', 10);
	bench.model.overlooksRole = true;
	const follower = bench.open('s');
	await bench.arrive();
	bench.model.add('s', 1);
	bench.model.clear();
	follower.kick();
	await bench.arrive();
	const {entries = [], hasUnknownRoles} = bench.stream('s') ?? {};
	expect(hasUnknownRoles).toBe(true);
	expect(entries.map(entry => entry.kind === 'message' && entry.role)).toEqual(Array(11).fill(undefined));
	expect(bench.model.requests.filter(({query}) => query?.role)).toEqual([]);
});

test('limits the window in memory while nobody reads older messages', async () => {
	bench = followerBench({pages: 'newest-first'});
	bench.model.add('s', 100);
	const follower = bench.open('s');
	await bench.arrive();
	for (let turn = 0; turn < 27; turn++) {
		bench.model.add('s', 100);
		follower.kick();
		await bench.arrive();
	}
	expect(bench.database.messages.count('s')).toBe(2_800);
	expect(bench.shown('s').length).toBeLessThanOrEqual(2_500);
	expect(bench.stream('s')?.hasOlder).toBe(true);
});

test('reads an archived session once, then leaves it alone', async () => {
	bench = followerBench({pages: 'newest-first'});
	bench.model.add('s', 3, 'user');
	bench.registry.recordSession(
		{sessionId: 's', sessionSettings: {archivedAt: '2026-10-01T00:00:00Z'}},
		'created',
	);
	bench.open('s');
	await bench.arrive();
	expect(bench.shown('s')).toHaveLength(3);
	expect(bench.clock.pending).toBe(0);
});

test('a failed poll keeps the stream, reports its problem and is retried', async () => {
	bench = followerBench({pages: 'newest-first'});
	bench.model.add('s', 3);
	const follower = bench.open('s');
	await bench.arrive();
	let isDown = true;
	bench.model.intercept = () => {
		if (isDown) throw new ServerError('The service failed.', {hint: 'Wait.', status: 500});
	};
	follower.kick();
	await bench.arrive();
	expect(bench.stores.fleet.getState().problems.get('s')?.what).toBe('The service failed.');
	expect(bench.stream('s')?.phase.name).toBe('ready');
	expect(bench.shown('s')).toHaveLength(3);
	isDown = false;
	await bench.clock.advance(10_000);
	expect(bench.stores.fleet.getState().problems.has('s')).toBe(false);
});

test('reads a short history to its newest end once it outgrows its first page', async () => {
	for (const pages of ['oldest-first', 'newest-first'] as const) {
		bench = followerBench({pages});
		const few = bench.model.add('s', 15);
		const follower = bench.open('s');
		await bench.arrive();
		expect(bench.shown('s')).toEqual(few);
		const many = bench.model.add('s', 30);
		follower.kick();
		await bench.arrive();
		expect(bench.shown('s')).toEqual([...few, ...many]);
		const [next = ''] = bench.model.add('s', 1);
		follower.kick();
		await bench.arrive();
		expect(bench.shown('s').at(-1)).toBe(next);
		if (pages === 'oldest-first') await bench.end();
	}
});

test("a listing that wrongly says more follows isn't mistaken for another order", async () => {
	bench = followerBench({pages: 'newest-first', inside: 'ascending'});
	bench.model.shape = page =>
		page.hasMore || page.items.length === 0 ? page : {...page, hasMore: true, nextCursor: '0/any,100,/-5'};
	bench.model.add('s', 8);
	const follower = bench.open('s');
	await bench.arrive();
	const more = bench.model.add('s', 4);
	follower.kick();
	await bench.arrive();
	const [last = ''] = bench.model.add('s', 1);
	follower.kick();
	await bench.arrive();
	expect(bench.shown('s').slice(-5)).toEqual([...more, last]);
	expect(bench.shown('s')).toHaveLength(13);
});

/** Roles as they were shown, each time anything was; `undefined` where none was known. */
function watchRoles(of: FollowerBench, newest: number): (string | undefined)[][] {
	const shown: (string | undefined)[][] = [];
	of.stores.streams.subscribe(({open}) => {
		const entries = open.get('s')?.entries ?? [];
		shown.push(entries.slice(-newest).map(entry => (entry.kind === 'message' ? entry.role : 'gap')));
	});
	return shown;
}

function addTurns(of: FollowerBench, count: number): void {
	for (let turn = 0; turn < count; turn++) {
		of.model.add('s', 1, 'user');
		of.model.add('s', 3, 'tool');
		of.model.add('s', 1);
	}
}

describe.each(['newest-first', 'oldest-first'] as const)(
	'roles when a session is opened, pages %s',
	pages => {
		test('are there when the newest messages are first shown', async () => {
			bench = followerBench({pages, latency: 20});
			addTurns(bench, 60);
			const shown = watchRoles(bench, 100);
			bench.open('s');
			await bench.clock.advance(2_000);
			expect(shown.flat().length).toBeGreaterThan(0);
			expect(shown.flat().filter(role => role === undefined)).toEqual([]);
			const asked = bench.model.requests.map(({query}) => query?.role ?? 'any');
			if (pages === 'newest-first') expect(asked.slice(0, 4)).toEqual(['any', 'any', 'user', 'tool']);
		});

		test('are there when a message that arrives later is first shown', async () => {
			bench = followerBench({pages, latency: 20, isLive: true});
			addTurns(bench, 2);
			const follower = bench.open('s');
			await bench.clock.advance(90_000);
			const shown = watchRoles(bench, 1);
			for (const role of ['user', 'tool', 'assistant'] as const) {
				bench.model.add('s', 1, role);
				bench.model.clear();
				follower.kick();
				await bench.clock.advance(200);
				expect(shown.at(-1)).toEqual([role]);
				const isAsked = ({query}: (typeof bench.model.requests)[number]) => query?.role !== undefined;
				expect(bench.model.requests.filter(isAsked).length).toBeLessThanOrEqual(3);
				await bench.clock.advance(1_000);
			}
			expect(shown.flat().filter(role => role === undefined)).toEqual([]);
		});

		test("don't hold back messages if the service is slow to tell them, and move nothing later", async () => {
			bench = followerBench({pages});
			addTurns(bench, 3);
			let isDown = true;
			bench.model.intercept = ({query}) => {
				if (isDown && query?.role) throw new ServerError('Down.', {hint: 'Wait.', status: 500});
			};
			const follower = bench.open('s');
			await bench.arrive();
			const [before] = bench.stream('s')?.entries ?? [];
			expect(before).toMatchObject({kind: 'message', role: undefined});
			isDown = false;
			await bench.clock.advance(6_000);
			follower.kick();
			await bench.arrive();
			expect(bench.stream('s')?.entries[0]).toMatchObject({role: 'user', isRoleLate: true});
		});
	},
);

test('a session that is reopened while it closes stays in the store', async () => {
	bench = followerBench({pages: 'newest-first'});
	const ids = bench.model.add('s', 3);
	const first = bench.open('s');
	await bench.arrive();
	first.kick();
	const closing = first.close();
	bench.open('s');
	await closing;
	expect(bench.shown('s')).toEqual(ids);
});
