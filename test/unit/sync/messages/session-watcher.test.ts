import {afterEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {ForbiddenError, RateLimitedError, UnreachableError} from '../../../../src/api/errors.ts';
import {StorageError} from '../../../../src/db/file/storage-error.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import type {Signal} from '../../../../src/domain/sessions/signal.ts';
import {createStores} from '../../../../src/state/stores.ts';
import {watchDelay} from '../../../../src/sync/core/poll.ts';
import {Engine} from '../../../../src/sync/engine.ts';
import {type EngineBench, engineBench} from '../../../support/engine-bench.ts';
import {type ModelRequest, notFound} from '../../../support/listing-model.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

let bench: EngineBench;
let times: Map<string, number[]>;
afterEach(() => bench.end());

/** An engine with 2 requests a second, unless told otherwise, that notes when each session is read. */
async function start(options: Parameters<typeof engineBench>[0] = {}): Promise<void> {
	bench = engineBench({requestsPerSecond: 2, isLive: true, ...options});
	times = new Map();
	refuse(() => {});
	await bench.engine.start();
}

/** Answers each request with what `refusal` throws, if anything. */
function refuse(refusal: (request: ModelRequest) => void): void {
	bench.model.intercept = request => {
		const {id, kind, query} = request;
		if (kind === 'list' && query?.role === undefined)
			times.set(id, [...(times.get(id) ?? []), bench.clock.now()]);
		refusal(request);
	};
}

const add = (...ids: string[]) => {
	for (const id of ids) bench.engine.registry.addSession(id, 'added');
};
const reads = (id: string) => times.get(id)?.length ?? 0;
const known = (id: string) => bench.stores.fleet.getState().sessions.get(id);
const problem = (id: string) => bench.stores.fleet.getState().problems.get(id);
const names = (count: number, name = 's') => Array.from({length: count}, (_, index) => `${name}${index}`);

/** Reads of a session during this time. */
async function readsDuring(id: string, ms: number): Promise<number> {
	const before = reads(id);
	await bench.clock.advance(ms);
	return reads(id) - before;
}

async function requestsDuring(ms: number): Promise<readonly ModelRequest[]> {
	bench.model.clear();
	await bench.clock.advance(ms);
	return [...bench.model.requests];
}

test('the delay between reads depends on activity', async () => {
	await start();
	const delays = [0, 9, 11, 59, 60, 119, 120, 240, 480, 10_000].map(
		minutes => watchDelay(false, minutes * minute) / second,
	);
	expect(delays).toEqual([15, 15, 30, 30, 60, 60, 120, 240, 300, 300]);
	expect(watchDelay(true, 9 * minute)).toBe(5 * second);
	expect(watchDelay(true, 11 * minute)).toBe(30 * second);
});

describe.each(['newest-first', 'oldest-first'] as const)('%s', pages => {
	test('reads a session more often the more active it is', async () => {
		await start({pages});
		bench.model.add('s', 3, 'user');
		add('s');
		await bench.clock.advance(minute);
		expect(known('s')?.activity?.state).toBe('working');
		expect(await readsDuring('s', minute)).toBe(12);
		bench.model.add('s', 1);
		await bench.clock.advance(2 * minute);
		expect(known('s')?.activity?.state).toBe('done');
		expect(await readsDuring('s', 5 * minute)).toBe(20);
		await bench.clock.advance(5 * minute);
		expect(await readsDuring('s', 30 * minute)).toBeLessThanOrEqual(61);
		await bench.clock.advance(12 * hour);
		expect(await readsDuring('s', hour)).toBe(12);
		bench.model.add('s', 1, 'user');
		await bench.clock.advance(5 * minute);
		expect(await readsDuring('s', minute)).toBe(12);
	});

	test('at rest a read is one request, and nothing is written', async () => {
		await start({pages});
		bench.model.add('s', 250, 'user');
		add('s');
		await bench.clock.advance(minute);
		bench.model.add('s', 3);
		await bench.clock.advance(20 * minute);
		const onDisk = openDatabase({file: bench.file, now: bench.clock.now});
		onTestFinished(() => onDisk.close());
		const written = onDisk.peerWriteCount();
		const updates = {fleet: 0, connection: 0};
		const {fleet, connection} = bench.stores;
		const ends = [fleet.subscribe(() => updates.fleet++), connection.subscribe(() => updates.connection++)];
		const requests = await requestsDuring(30 * minute);
		for (const end of ends) end();
		// Each update draws a frame: one for each answer that comes alone, as these do.
		expect(updates.fleet).toBe(0);
		expect(updates.connection).toBeLessThanOrEqual(requests.length);
		expect(requests.length).toBeGreaterThan(58);
		expect(new Set(requests.map(({query}) => JSON.stringify(query))).size).toBe(1);
		const {limit, cursor, role} = requests[0]?.query ?? {};
		expect(limit).toBeLessThanOrEqual(pages === 'newest-first' ? 20 : 100);
		expect(cursor !== undefined).toBe(pages === 'oldest-first');
		expect(role).toBeUndefined();
		expect(onDisk.peerWriteCount()).toBe(written);
		expect(known('s')?.activity).toMatchObject({state: 'done', unread: 3});
	});

	test('first contact reads the newest end, or walks once and keeps the result', async () => {
		await start({pages});
		bench.model.add('s', 950);
		const [newest = ''] = bench.model.add('s', 1);
		add('s');
		const requests = await requestsDuring(2 * minute);
		const plain = requests.filter(({query}) => query?.role === undefined);
		expect(known('s')?.activity?.newestId).toBe(newest);
		expect(bench.database.messages.count('s')).toBe(pages === 'newest-first' ? 200 : 951);
		const rest = (2 * minute) / (5 * second) + 2;
		expect(plain.length).toBeLessThanOrEqual(pages === 'newest-first' ? rest : rest + 10);
		await bench.engine.stop();
		await bench.start();
		expect(await requestsDuring(second)).toHaveLength(1);
	});

	test('leaves an open session to its follower, and resumes when it is closed', async () => {
		await start({pages});
		bench.model.add('s', 30);
		bench.model.add('s', 1, 'user');
		add('s', 'other');
		await bench.clock.advance(minute);
		expect(bench.engine.sessions.watcher.report().sessions).toBe(2);
		const close = bench.engine.sessions.open('s');
		await bench.clock.advance(20 * minute);
		expect(bench.engine.sessions.watcher.report().sessions).toBe(1);
		expect(bench.engine.sessions.watcher.report().oldest).toBeLessThan(6 * minute);
		// A quiet session that isn't focused is polled once a minute; a watcher's reads would come on top.
		expect(await readsDuring('s', 10 * minute)).toBeLessThanOrEqual(11);
		close();
		expect(await readsDuring('s', 10 * minute)).toBeGreaterThanOrEqual(19);
		expect(bench.engine.sessions.watcher.report().sessions).toBe(2);
	});

	test('a session opened during a read has every message once, and is then read with one request', async () => {
		await start({pages, latency: 200});
		bench.model.add('s', 1_500);
		bench.model.add('s', 1, 'user');
		add('s');
		await bench.clock.advance(1_500);
		expect(reads('s')).toBeGreaterThan(0);
		const close = bench.engine.sessions.open('s');
		await bench.clock.advance(10 * minute);
		const {entries = []} = bench.stores.streams.getState().open.get('s') ?? {};
		const newest = names(100).map((_, index) => `s-${1_401 + index}`);
		expect(entries.slice(-100).map(({id}) => id)).toEqual(newest);
		close();
		await bench.clock.advance(5 * minute);
		const [count, requests] = [reads('s'), await requestsDuring(10 * minute)];
		expect(requests).toHaveLength(reads('s') - count);
		expect(bench.database.messages.listing('s').isComplete).toBe(pages === 'oldest-first');
	});

	test('two programs on one database both know every message, without gaps', async () => {
		await start({pages});
		const stores = createStores();
		const {clock, model} = bench;
		const database = openDatabase({file: bench.file, now: clock.now});
		const parts = {service: model.service, database, stores, clock, owner: 'second'};
		const other = new Engine({...parts, hooks: 'off', random: () => 0.5, requestsPerSecond: 2});
		await other.start();
		const ids = names(4);
		for (const id of ids) model.add(id, 150);
		add(...ids);
		for (let turn = 0; turn < 6; turn++) {
			await clock.advance(17 * second);
			for (const id of ids) model.add(id, 2 * turn + 1, turn % 2 ? 'user' : 'assistant');
		}
		await clock.advance(2 * minute);
		for (const id of ids) {
			const newest = database.messages.tail(id, 210).map(({message}) => message.id);
			const all = model.ids(id);
			expect(newest).toEqual(all.slice(-210));
			for (const fleet of [stores.fleet, bench.stores.fleet])
				expect(fleet.getState().sessions.get(id)?.activity).toMatchObject({
					newestId: all.at(-1),
					state: 'working',
				});
		}
		await other.stop();
		database.close();
	});
});

describe.each(['newest-first', 'oldest-first'] as const)('what a read found, %s', pages => {
	const activity = () => known('s')?.activity;
	const edit = (id: string, text: string) => bench.model.edit('s', id, text);

	test("an edit of an older answer isn't work, but growth of the newest one is", async () => {
		await start({pages});
		const [old = '', newest = ''] = bench.model.add('s', 2);
		add('s');
		await bench.clock.advance(5 * minute);
		edit(old, 'Edited.');
		const states = new Set<string | undefined>();
		const end = bench.stores.fleet.subscribe(() => states.add(activity()?.state));
		await bench.clock.advance(5 * minute);
		expect([...states]).toEqual([]);
		edit(newest, 'More.');
		await bench.clock.advance(5 * minute);
		expect([...states]).toEqual(['working', 'done']);
		end();
	});

	test('existing messages count as read, new ones as unread, whatever the clocks say', async () => {
		for (const skew of [-10 * minute, 10 * minute]) {
			await start({pages});
			bench.model.shape = page => ({
				...page,
				items: page.items.map(one => ({...one, createdAt: (one.createdAt ?? 0) + skew})),
			});
			bench.stores.connection.setState({skew});
			bench.model.add('s', 3);
			add('s');
			await bench.clock.advance(minute);
			expect(activity()?.unread).toBe(0);
			bench.model.add('s', 2);
			const states = new Set<string | undefined>();
			const end = bench.stores.fleet.subscribe(() => states.add(activity()?.state));
			await bench.clock.advance(minute);
			expect([...states]).toEqual(['working', 'done']);
			expect(activity()).toMatchObject({state: 'done', unread: 2});
			end();
			if (skew < 0) await bench.end();
		}
	});

	test('messages in a session that was empty are unread', async () => {
		await start({pages});
		add('s');
		await bench.clock.advance(minute);
		await bench.engine.stop();
		await bench.start();
		bench.model.add('s', 2);
		await bench.clock.advance(minute);
		expect(activity()?.unread).toBe(2);
	});

	test('a long session gets its title from its first words, which are looked up once', async () => {
		await start({pages});
		const [reminder = '', first = ''] = bench.model.add('s', 2, 'user');
		edit(first, 'Fix the login\nIt fails.');
		bench.model.shape = page => ({
			...page,
			items: page.items.map(one => (one.id === reminder ? {...one, isUserVisible: false} : one)),
		});
		for (let turn = 0; turn < 120; turn++) bench.model.add('s', 1, turn % 3 ? 'assistant' : 'user');
		add('s');
		const before = (await requestsDuring(minute)).filter(({query}) => query?.role === 'user').length;
		expect(activity()?.title).toBe('Fix the login');
		expect(before).toBeLessThanOrEqual(4);
		// Those that were new are looked for once more.
		await bench.clock.advance(5 * minute);
		const role = ({query}: ModelRequest) => query?.role !== undefined;
		expect((await requestsDuring(hour)).filter(role)).toEqual([]);
	});

	test("doesn't ask again for the first words of a session if they are out of reach", async () => {
		await start({pages});
		bench.model.add('s', 700, pages === 'newest-first' ? 'user' : 'assistant');
		bench.model.add('s', 1);
		add('s');
		await bench.clock.advance(5 * minute);
		expect(activity()).toMatchObject({isUntitled: true});
		await bench.engine.stop();
		await bench.start();
		const role = ({query}: ModelRequest) => query?.role !== undefined;
		expect((await requestsDuring(hour)).filter(role)).toEqual([]);
	});

	test('beyond the storage limit, rereads nothing and keeps the newest messages', async () => {
		const storageLimit = 70_000;
		await start({pages, storageLimit});
		const ids = names(2, 'long');
		for (const id of ids) bench.model.add(id, 700, 'user');
		for (const id of ids) bench.model.add(id, 3);
		await bench.clock.advance(minute);
		add(...ids);
		await bench.clock.advance(30 * minute);
		const reached = bench.database.cache.size().used;
		bench.model.clear();
		times.clear();
		await bench.clock.advance(hour);
		for (const id of ids) {
			expect(bench.database.messages.count(id)).toBe(200);
			expect(known(id)?.activity).toMatchObject({state: 'done', unread: 0});
			expect(reads(id)).toBeLessThan(100);
		}
		expect(bench.model.requests).toHaveLength(ids.reduce((sum, id) => sum + reads(id), 0));
		expect(bench.database.cache.size().used).toBeLessThanOrEqual(reached);
		// Who opens one reads all of it, in both orders.
		const close = bench.engine.sessions.open('long0');
		await bench.clock.advance(minute);
		for (let page = 0; page < 10; page++) {
			void bench.engine.sessions.follower('long0')?.loadOlder();
			await bench.clock.advance(10 * second);
		}
		expect(bench.database.messages.count('long0')).toBe(703);
		const {entries = []} = bench.stores.streams.getState().open.get('long0') ?? {};
		expect(entries.map(({id}) => id)).toEqual(bench.model.ids('long0'));
		close();
	});
});

test('asks who wrote the messages that a read found before it failed', async () => {
	await start();
	bench.model.add('s', 250);
	add('s');
	await bench.clock.advance(12 * hour);
	bench.model.add('s', 8, 'user');
	bench.model.add('s', 2);
	let plain = 0;
	refuse(({query}) => {
		const limited = new RateLimitedError('Slow.', {hint: 'Wait.', status: 429, retryAfter: second});
		if (query?.role === undefined && ++plain === 2) throw limited;
	});
	await bench.clock.advance(10 * minute);
	expect(plain).toBeGreaterThan(2);
	expect(known('s')?.activity?.unread).toBe(2);
});

test('a question found after the hook reported the end of the turn asks at once', async () => {
	await start();
	bench.model.add('s', 1, 'user');
	add('s');
	await bench.clock.advance(minute);
	const [question = ''] = bench.model.add('s', 1);
	bench.model.edit('s', question, 'Which one do you want?');
	const {registry, at} = {registry: bench.stores.fleet, at: bench.clock.now()};
	const signal: Signal = {
		client: 'claude',
		sessionId: 's',
		state: 'done',
		since: at,
		lastEventAt: at,
		lastEvent: 'Stop',
		background: 0,
	};
	registry.setState({signals: new Map([['claude:s', signal]])});
	bench.engine.refresh('s');
	await bench.clock.advance(second);
	expect(known('s')?.activity).toMatchObject({state: 'asks', newestId: question, unread: 1});
});

test('probes a session when the user refreshes it, and never again once refused', async () => {
	await start();
	const probes = () => bench.model.requests.filter(({kind}) => kind === 'probe').length;
	bench.model.add('s', 1);
	add('s');
	// What the user adds is refreshed, as by the key.
	bench.engine.refresh('s');
	await bench.clock.advance(hour);
	expect([probes(), known('s')?.status?.value]).toEqual([1, 'idle']);
	bench.engine.refresh('s');
	await bench.clock.advance(minute);
	expect(probes()).toBe(2);
	const list = bench.model.intercept;
	bench.model.intercept = request => {
		if (request.kind === 'probe') throw new ForbiddenError('Not yours.', {hint: 'Ask.', status: 403});
		list(request);
	};
	bench.engine.refresh('s');
	await bench.clock.advance(minute);
	expect(probes()).toBe(3);
	await bench.engine.stop();
	await bench.start();
	const before = reads('s');
	bench.engine.refresh('s');
	await bench.clock.advance(second);
	expect([probes(), reads('s') > before]).toEqual([3, true]);
});

test('reading messages in one program marks them as read in the other, too', async () => {
	await start();
	const stores = createStores();
	const {clock, model, engine} = bench;
	const database = openDatabase({file: bench.file, now: clock.now});
	const parts = {service: model.service, database, stores, clock, owner: 'second'};
	const other = new Engine({...parts, hooks: 'off', random: () => 0.5, requestsPerSecond: 2});
	await other.start();
	add('s');
	await clock.advance(second);
	model.add('s', 2);
	await clock.advance(minute);
	const unread = () => stores.fleet.getState().sessions.get('s')?.activity?.unread;
	expect([unread(), known('s')?.activity?.unread]).toEqual([2, 2]);
	engine.sessions.activity.markSeen('s');
	await clock.advance(minute);
	expect([unread(), known('s')?.activity?.unread]).toEqual([0, 0]);
	model.add('s', 1);
	await clock.advance(minute);
	expect([unread(), known('s')?.activity?.unread]).toEqual([1, 1]);
	await other.stop();
	database.close();
});

test('an answer that grows after it was read is unread again, even after a restart', async () => {
	await start();
	const {clock, model} = bench;
	const unread = () => known('s')?.activity?.unread;
	add('s');
	await clock.advance(second);
	const [id = ''] = model.add('s', 1);
	await clock.advance(minute);
	bench.engine.sessions.activity.markSeen('s');
	expect(unread()).toBe(0);
	// Nothing that the user reads has changed.
	model.shape = page => ({...page, items: page.items.map(item => ({...item, rating: 5}))});
	await clock.advance(minute);
	await bench.engine.stop();
	await bench.start();
	await clock.advance(minute);
	expect(unread()).toBe(0);
	model.edit('s', id, 'part1\npart2 the real end');
	await clock.advance(minute);
	expect(known('s')?.activity).toMatchObject({state: 'done', unread: 1});
	await bench.engine.stop();
	await bench.start();
	await clock.advance(minute);
	expect(unread()).toBe(1);
	bench.engine.sessions.activity.markSeen('s');
	await clock.advance(minute);
	expect(unread()).toBe(0);
});

test('an answer marked unread stays so through reads and a restart, until it is read again', async () => {
	await start();
	const {clock, model} = bench;
	const unread = () => known('s')?.activity?.unread;
	add('s');
	await clock.advance(second);
	model.add('s', 3);
	await clock.advance(minute);
	bench.engine.sessions.activity.markSeen('s');
	bench.engine.sessions.activity.markUnread('s');
	expect(unread()).toBe(1);
	await clock.advance(minute);
	await bench.engine.stop();
	await bench.start();
	model.shape = page => ({...page, items: page.items.map(item => ({...item, rating: 5}))});
	await clock.advance(minute);
	expect(unread()).toBe(1);
	bench.engine.sessions.activity.markSeen('s');
	await clock.advance(minute);
	expect(unread()).toBe(0);
});

test("a session's stored messages are whole only if there is no gap", async () => {
	await start();
	const {clock, model} = bench;
	model.add('s', 3);
	add('s');
	await clock.advance(minute);
	expect(known('s')?.activity?.stored).toEqual({count: 3, isWhole: true});
	model.add('s', 500);
	await clock.advance(10 * minute);
	expect(known('s')?.activity?.stored?.count).toBeLessThan(503);
	expect(known('s')?.activity?.stored?.isWhole).toBe(false);
});

test('reads the session most overdue for its delay first, even right after the start', async () => {
	await start({requestsPerSecond: 0.5});
	for (const id of names(20, 'idle')) bench.model.add(id, 1);
	await bench.clock.advance(12 * hour);
	add(...names(20, 'idle'));
	await bench.clock.advance(4 * minute);
	bench.model.add('busy', 1, 'user');
	add('busy');
	await bench.clock.advance(minute);
	const idle = () => names(20, 'idle').map(reads);
	const before = idle();
	// At 30 requests a minute: 12 for what is due every 5 s, 4 for twenty that are due every 5 min.
	expect(await readsDuring('busy', minute)).toBeGreaterThanOrEqual(11);
	await bench.clock.advance(9 * minute);
	for (const [index, count] of idle().entries()) expect(count).toBeGreaterThan(before[index] ?? 0);
	bench.model.add('busy', 1, 'user');
	await bench.clock.advance(10 * second);
	await bench.engine.stop();
	times.clear();
	await bench.start();
	await bench.clock.advance(10 * second);
	expect(reads('busy')).toBe(1);
	expect([...times.keys()][0]).toBe('busy');
});

test('reads the rows on the screen first, without starving any other', async () => {
	await start({requestsPerSecond: 1});
	const all = names(60);
	for (const id of all) bench.model.add(id, 1);
	add(...all);
	const visible = all.slice(40, 50);
	bench.engine.sessions.watcher.setVisible('sessions', visible);
	await bench.clock.advance(2 * second);
	await bench.clock.advance(3 * minute);
	const before = new Map(all.map(id => [id, reads(id)]));
	const perSession = (ids: readonly string[]) => ids.map(id => reads(id) - (before.get(id) ?? 0));
	await bench.clock.advance(5 * minute);
	const seen = perSession(visible);
	const others = perSession(all.filter(id => !visible.includes(id)));
	expect(Math.min(...seen)).toBeGreaterThan(Math.max(...others));
	expect(Math.min(...others)).toBeGreaterThanOrEqual(3);
});

test('a new session is read soon, however many others are late', async () => {
	await start({requestsPerSecond: 1});
	for (const id of names(60)) bench.model.add(id, 1, 'user');
	add(...names(60));
	await bench.clock.advance(3 * minute);
	bench.model.add('new', 1);
	add('new');
	await bench.clock.advance(30 * second);
	expect(known('new')?.activity).toBeDefined();
});

test('reads four times less often while the terminal is blurred, and at full pace once it has focus', async () => {
	await start();
	bench.model.add('s', 1);
	bench.model.add('busy', 1, 'user');
	add('s', 'busy');
	await bench.clock.advance(minute);
	bench.engine.setTerminalFocused(false);
	expect(await readsDuring('s', 4 * minute)).toBe(4);
	expect(await readsDuring('busy', 2 * minute)).toBe(6);
	// What becomes active meanwhile is read sooner, at the pace of a blurred terminal.
	await bench.clock.advance(2 * hour);
	for (const before = reads('s'); reads('s') === before; ) await bench.clock.advance(second);
	bench.engine.sessions.remember({sessionId: 's', status: 'running'}, 'added', 'updated');
	const statusAt = bench.clock.now();
	await bench.clock.advance(4 * minute);
	const [first = 0] = times.get('s')?.filter(at => at >= statusAt) ?? [];
	expect(first - statusAt).toBeLessThanOrEqual(21 * second);
	expect(await readsDuring('s', minute)).toBeLessThanOrEqual(4);
	bench.engine.setTerminalFocused(true);
	expect(await readsDuring('s', minute)).toBeGreaterThanOrEqual(11);
});

test('retries one request at a time while unreachable, then reads all sessions without a pile-up', async () => {
	await start();
	const all = names(100);
	for (const id of all) bench.model.add(id, 1);
	add(...all);
	await bench.clock.advance(2 * minute);
	refuse(() => {
		throw new UnreachableError('No way.', {hint: 'Look.'});
	});
	const offline = await requestsDuring(hour);
	expect(offline.length).toBeGreaterThan(60);
	expect(offline.length).toBeLessThan(140);
	expect(bench.stores.fleet.getState().problems.size).toBe(0);
	refuse(() => {});
	bench.engine.refresh();
	const before = new Map(all.map(id => [id, reads(id)]));
	expect((await requestsDuring(2 * minute)).length).toBeLessThanOrEqual(244);
	for (const id of all) expect(reads(id)).toBeGreaterThan(before.get(id) ?? 0);
});

test('looks for a new session until it is found, and for one that is gone every 5 min', async () => {
	await start();
	bench.model.add('s', 3, 'user');
	bench.model.add('busy', 1, 'user');
	add('busy');
	let isMissing = true;
	refuse(({id}) => {
		if (id === 's' && isMissing) throw notFound();
	});
	bench.engine.registry.addSession('s', 'created');
	await bench.clock.advance(20 * second);
	expect(reads('s')).toBeGreaterThanOrEqual(8);
	expect(problem('s')).toBeUndefined();
	isMissing = false;
	await bench.clock.advance(10 * second);
	expect(known('s')?.activity?.state).toBe('working');
	isMissing = true;
	await bench.clock.advance(10 * second);
	expect(problem('s')).toBeDefined();
	const other = async (count: number) => {
		for (let turn = 0; turn < count; turn++) {
			await bench.clock.advance(10 * second);
			bench.model.add('busy', 1, 'user');
		}
	};
	const before = reads('s');
	await other(60);
	expect(reads('s') - before).toBe(2);
	expect(bench.engine.sessions.watcher.report().oldest).toBeLessThanOrEqual(301 * second);
	isMissing = false;
	await other(31);
	expect(problem('s')).toBeUndefined();
});

test('reads a session that the key may not read every 5 min, even if it is working', async () => {
	await start();
	bench.model.add('s', 1, 'user');
	add('s');
	await bench.clock.advance(10 * second);
	refuse(() => {
		throw new ForbiddenError('Not yours.', {hint: 'Ask.', status: 403});
	});
	await bench.clock.advance(10 * second);
	expect(problem('s')).toBeDefined();
	expect(await readsDuring('s', 30 * minute)).toBe(6);
});

test('sessions come and go: added, archived, restored, forgotten', async () => {
	await start();
	expect(await requestsDuring(hour)).toEqual([]);
	bench.model.add('s', 1);
	add('s');
	expect(await readsDuring('s', minute)).toBeGreaterThan(3);
	const archived = {sessionId: 's', sessionSettings: {archivedAt: 'then'}};
	bench.engine.sessions.remember(archived, 'added', 'updated');
	expect(await requestsDuring(hour)).toEqual([]);
	expect(bench.engine.sessions.watcher.report().sessions).toBe(0);
	bench.engine.registry.markSession('s', {restored: 'then'});
	expect(await readsDuring('s', minute)).toBe(1);
	bench.engine.registry.forgetSession('s');
	expect(await requestsDuring(hour)).toEqual([]);
	expect(bench.clock.pending).toBe(0);
});

test('a session forgotten during its read leaves nothing on disk', async () => {
	await start({latency: 400});
	bench.model.add('s', 150);
	add('s');
	await bench.clock.advance(600);
	bench.engine.registry.forgetSession('s');
	await bench.clock.advance(minute);
	expect(bench.database.messages.count('s')).toBe(0);
});

test("retries a session whose stored messages can't be read for a while", async () => {
	await start();
	bench.model.add('s', 3);
	const {listing} = bench.database.messages;
	const spy = vi.spyOn(bench.database.messages, 'listing').mockImplementation(() => {
		throw new StorageError('busy', 'locked');
	});
	add('s');
	await bench.clock.advance(10 * second);
	expect([reads('s'), spy.mock.calls.length]).toEqual([0, 4]);
	spy.mockImplementation(listing);
	await bench.clock.advance(10 * second);
	expect(known('s')?.activity).toBeDefined();
});

test("doesn't ask the service about a session known only from hooks", async () => {
	await start();
	bench.engine.registry.addSession('s', 'hook');
	expect(await requestsDuring(hour)).toEqual([]);
});

test('a message to a session that nobody has open is followed until it is seen', async () => {
	await start();
	bench.model.add('s', 1);
	add('s');
	await bench.clock.advance(hour);
	await bench.engine.outbox.enqueue('s', {text: 'Go on.'});
	await bench.clock.advance(5 * second);
	expect(bench.stores.outbox.getState().bySession.get('s')?.[0]?.state).toBe('seen');
	expect(known('s')?.activity?.state).toBe('working');
});

test.each(['closed', 'open until it is accepted'] as const)(
	'reads the answer to a message to a session that is %s as soon as in an open one',
	async when => {
		await start();
		bench.model.add('s', 1);
		add('s', 'other');
		await bench.clock.advance(hour);
		const close = when === 'closed' ? () => {} : bench.engine.sessions.open('s');
		await bench.engine.outbox.enqueue('s', {text: 'Go on.'});
		await bench.clock.advance(100);
		close();
		await bench.clock.advance(second);
		expect(known('s')?.activity).toMatchObject({state: 'working', evidence: 'user-message'});
		for (let answer = 0; answer < 3; answer++) {
			const [id] = bench.model.add('s', 1);
			await bench.clock.advance(3 * second);
			expect(known('s')?.activity?.newestId).toBe(id);
		}
		await bench.clock.advance(minute);
		expect(known('s')?.activity?.state).toBe('done');
		// The service has said that it is idle.
		expect(await readsDuring('s', minute)).toBe(4);
		expect(await readsDuring('other', hour)).toBeGreaterThan(10);
	},
);

test('after ten minutes, looks for a missing answer no more often than for other changes', async () => {
	await start();
	bench.model.add('s', 1);
	add('s');
	await bench.clock.advance(hour);
	await bench.engine.outbox.enqueue('s', {text: 'Go on.'});
	await bench.clock.advance(minute);
	expect(await readsDuring('s', minute)).toBe(20);
	await bench.clock.advance(9 * minute);
	expect(await readsDuring('s', minute)).toBeLessThanOrEqual(2);
});

test('an event during a read causes another read', async () => {
	const latency = 2 * second;
	await start({latency});
	bench.model.add('s', 2, 'user');
	add('s');
	await bench.clock.advance(3 * hour);
	bench.model.clear();
	while (bench.model.requests.every(({kind}) => kind !== 'list')) await bench.clock.advance(100);
	bench.engine.sessions.hookReceived('s');
	await bench.clock.advance(latency);
	expect(await readsDuring('s', latency)).toBe(1);
	expect(await readsDuring('s', minute)).toBe(0);
});

test('sessions forgotten while they are read make room for others, even after an event', async () => {
	await start({latency: 2 * second});
	const forgotten = names(3);
	for (const id of [...forgotten, 'other']) bench.model.add(id, 2);
	add(...forgotten, 'other');
	await bench.clock.advance(second);
	for (const id of forgotten) bench.engine.sessions.hookReceived(id);
	for (const id of forgotten) bench.engine.registry.forgetSession(id);
	await bench.clock.advance(minute);
	expect(reads('other')).toBeGreaterThan(0);
});

test('stop() in the middle of reads leaves no timer and no request', async () => {
	await start({latency: 300});
	for (const id of names(40)) bench.model.add(id, 150);
	add(...names(40));
	await bench.clock.advance(1_100);
	await bench.engine.stop();
	expect(bench.clock.pending).toBe(0);
	expect(await requestsDuring(hour)).toEqual([]);
});
