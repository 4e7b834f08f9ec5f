import {mkdirSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {currentEnvironment} from '../../../hooks/runtime-folder.ts';
import {findSockets} from '../../../hooks/sockets.ts';
import {encodeEnvelope} from '../../../hooks/wire.ts';
import {ForbiddenError, NotFoundError, UnauthorizedError, UnreachableError} from '../../../src/api/errors.ts';
import {Connection, createService, type Service} from '../../../src/api/service.ts';
import type {Database} from '../../../src/db/database.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import type {Session} from '../../../src/domain/sessions/session.ts';
import {isBlocked, reportResponse} from '../../../src/state/connection.ts';
import {sessionItems} from '../../../src/state/sessions/session-items.ts';
import {turnStart} from '../../../src/state/sessions/session-look.ts';
import {isUnsure} from '../../../src/state/sessions/session-state.ts';
import {createStores, type Stores} from '../../../src/state/stores.ts';
import {Engine} from '../../../src/sync/engine.ts';
import {eventually} from '../../support/eventually.ts';
import {type FakeClock, fakeClock, settle} from '../../support/fake-clock.ts';
import type {HookFolders} from '../../support/hook-folders.ts';
import {type ListingModel, listingModel, notFound} from '../../support/listing-model.ts';
import {temporaryFolder} from '../../support/local-service.ts';
import {temporaryHookFolders} from '../../support/temporary-hook-folders.ts';

let clock: FakeClock;
let model: ListingModel;
let database: Database;
let databaseFile: string;
let stores: Stores;
let engine: Engine;
let environment: HookFolders;

beforeEach(() => {
	clock = fakeClock();
	model = listingModel({clock, pages: 'newest-first', latency: 5});
	databaseFile = join(temporaryFolder(), 'kept.db');
	database = openDatabase({file: databaseFile, now: clock.now});
	environment = temporaryHookFolders();
	mkdirSync(environment.runtime, {mode: 0o700, recursive: true});
	build();
});
afterEach(async () => {
	await engine.stop();
	expect(clock.pending).toBe(0);
	database.close();
});

function build(hooks: 'off' | 'on' = 'off'): void {
	stores = createStores();
	engine = new Engine({
		service: model.service,
		database,
		stores,
		clock,
		owner: 'test',
		hooks: hooks === 'off' ? 'off' : {folder: environment.runtime, spoolFolder: environment.spool},
		random: () => 0.5,
	});
}

async function restart(hooks: 'off' | 'on' = 'off'): Promise<void> {
	await engine.stop();
	build(hooks);
	await engine.start();
}

/** Waits for something that real sockets bring about; the test's own time limit ends it. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await settle(1);
}

const stream = (id: string) => stores.streams.getState().open.get(id);
/** No timer is left; a write of ours may be looked at once more, when the system has told of it. */
const atRest = () =>
	eventually(async () => {
		await clock.advance(1_000);
		expect(clock.pending).toBe(0);
	});
const session = (id: string) => stores.fleet.getState().sessions.get(id);

test('makes no requests while nothing is known, and reads an idle computer once in five minutes', async () => {
	model.computers.set('c', {id: 'c', status: 'active', provisioningSteps: [{status: 'done'}]});
	await engine.start();
	engine.computers.add('c', 'added');
	await clock.advance(1_000);
	expect(stores.fleet.getState().computers.get('c')?.computer?.status).toBe('active');
	model.clear();
	await clock.advance(3_600_000);
	expect(model.requests.map(({kind}) => kind)).toEqual(Array(12).fill('computer'));
	expect(stores.connection.getState().state).toBe('polling');
	engine.computers.forget('c');
	model.clear();
	await atRest();
	await clock.advance(3_600_000);
	expect(model.requests).toEqual([]);
	expect(stores.connection.getState().state).toBe('quiet');
});

test('follows a session for as long as anyone has it open', async () => {
	await engine.start();
	model.add('s', 3);
	const first = engine.sessions.open('s');
	const second = engine.sessions.open('s');
	await clock.advance(1_000);
	first();
	first();
	await clock.advance(60_000);
	expect(stream('s')).toBeDefined();
	second();
	await clock.advance(100);
	expect(stream('s')).toBeUndefined();
	engine.registry.forgetSession('s');
	await atRest();
});

test('sends a message, polls for it at once and finds it in the stream', async () => {
	await engine.start();
	model.add('s', 3);
	engine.sessions.open('s');
	engine.sessions.focus('s');
	await clock.advance(200_000);
	model.clear();
	const item = await engine.outbox.enqueue('s', {text: 'hello'});
	await clock.advance(200);
	expect(
		stores.outbox
			.getState()
			.bySession.get('s')
			?.map(({id, state}) => [id, state]),
	).toEqual([[item.id, 'seen']]);
	const last = stream('s')?.entries.at(-1);
	expect(last?.kind === 'message' && [last.message.content, last.role]).toEqual([[{text: 'hello'}], 'user']);
	expect(session('s')?.status).toMatchObject({value: 'running', source: 'posted'});
	model.clear();
	model.add('s', 1);
	await clock.advance(1_100);
	expect(stream('s')?.entries).toHaveLength(5);
	await clock.advance(20_000);
	expect(session('s')?.status).toMatchObject({value: 'idle', source: 'updated'});
});

test('a queued message never restarts the timer of the running turn', async () => {
	model = listingModel({clock, pages: 'newest-first', latency: 5, isLive: true});
	build();
	await engine.start();
	engine.sessions.open('s');
	engine.sessions.focus('s');
	await engine.outbox.enqueue('s', {text: 'hello'});
	await clock.advance(200);
	const startOf = () => {
		const {sessions} = stores.fleet.getState();
		const [item] = sessionItems(
			{computers: new Map(), sessions, signals: new Map()},
			stores.outbox.getState(),
		);
		return item && turnStart(item);
	};
	model.add('s', 1);
	await clock.advance(3000);
	const start = startOf();
	expect(start).toBe(session('s')?.activity?.userAt);
	await engine.outbox.enqueue('s', {text: 'and then'});
	const starts = new Set<number | undefined>();
	for (let step = 0; step < 200; step++) {
		await clock.advance(1);
		starts.add(startOf());
	}
	expect(stores.outbox.getState().bySession.get('s')?.at(-1)).toMatchObject({isBehind: true, state: 'seen'});
	expect([...starts]).toEqual([start]);
});

test('a session that was working when the program ended is shown as unsure until it is read again', async () => {
	model = listingModel({clock, pages: 'newest-first', latency: 5, isLive: true});
	build();
	await engine.start();
	engine.sessions.open('s');
	await engine.outbox.enqueue('s', {text: 'hello'});
	await clock.advance(200);
	model.add('s', 1);
	await clock.advance(3000);
	model.running.add('s');
	const listed = () => {
		const {sessions} = stores.fleet.getState();
		const data = {computers: new Map(), sessions, signals: new Map()};
		return sessionItems(data, stores.outbox.getState()).map(item => [
			item.state,
			isUnsure(item, clock.now()),
		]);
	};
	expect(listed()).toEqual([['working', false]]);
	await engine.stop();
	await clock.advance(61_000);
	await restart();
	expect(listed()).toEqual([['working', true]]);
	engine.sessions.open('s');
	await clock.advance(3000);
	expect(listed()).toEqual([['working', false]]);
});

test("an idle status in the response to our own message doesn't change the session's status", async () => {
	await engine.start();
	engine.sessions.open('s');
	engine.sessions.remember({sessionId: 's', status: 'running'}, 'created', 'created');
	model.service.messages.add = async () => ({messageId: 'm', status: 'idle'});
	await engine.outbox.enqueue('s', {text: 'hello'});
	await clock.advance(100);
	expect(session('s')?.status).toMatchObject({value: 'running', source: 'created'});
});

test('restores everything known before the first answer', async () => {
	await engine.start();
	model.computers.set('c', {id: 'c', name: 'box', status: 'active'});
	engine.computers.add('c', 'added');
	engine.sessions.remember(
		{
			sessionId: 's',
			title: 'migration',
			computerId: 'c',
			sessionSettings: {childInclusiveTokenUsageBySessionId: {s: 1, kid: 2}},
		},
		'created',
		'created',
	);
	await clock.advance(1_000);
	await restart();
	const {computers, sessions} = stores.fleet.getState();
	expect(computers.get('c')?.computer?.name).toBe('box');
	expect(sessions.get('s')).toMatchObject({origin: 'created', computerId: 'c'});
	expect(sessions.get('kid')).toMatchObject({origin: 'child'});
	// It may run elsewhere than its parent.
	expect(sessions.get('kid')).not.toHaveProperty('computerId');
	engine.registry.forgetSession('s');
	await restart();
	expect([...stores.fleet.getState().sessions.keys()]).toEqual(['kid']);
});

test('a turn whose answer arrives in the first read still ends when the service says so', async () => {
	await engine.start();
	engine.registry.addSession('s', 'created');
	const {add, list} = model.service.messages;
	const answered = Promise.withResolvers<void>();
	model.service.messages.add = async (...args) => {
		const posted = await add(...args);
		model.add('s', 1, 'assistant');
		answered.resolve();
		return posted;
	};
	model.service.messages.list = async (...args) => {
		await answered.promise;
		return list(...args);
	};
	engine.sessions.open('s');
	await engine.outbox.enqueue('s', {text: 'go'});
	await clock.advance(500);
	expect(stream('s')?.entries.length).toBe(2);
	engine.sessions.remember({sessionId: 's', status: 'idle'}, 'added', 'updated');
	expect(session('s')?.status).toMatchObject({value: 'idle', source: 'updated'});
});

test("keeps the service's own status for a turn, with its source, while the answer arrives", async () => {
	await engine.start();
	engine.sessions.remember({sessionId: 's', status: 'idle'}, 'created', 'created');
	engine.sessions.open('s');
	const {add} = model.service.messages;
	model.service.messages.add = async (...args) => ({...(await add(...args)), status: 'Thinking'});
	await clock.advance(1_000);
	await engine.outbox.enqueue('s', {text: 'go'});
	await clock.advance(100);
	model.add('s', 1, 'assistant');
	await clock.advance(5_000);
	expect(stream('s')?.entries.length).toBe(2);
	expect(session('s')?.status).toMatchObject({value: 'Thinking', source: 'posted'});
	await clock.advance(30_000);
	expect(session('s')?.status).toMatchObject({value: 'idle', source: 'updated'});
});

test.each(['open', 'not open'])(
	'stores a hook event and its signal, and reads the session at once: %s',
	async view => {
		await restart('on');
		expect(stores.connection.getState().hooks).toBe('listening');
		model.add('s', 3, 'user');
		engine.registry.addSession('s', 'added');
		if (view === 'open') engine.sessions.open('s');
		await clock.advance(300_000);
		model.clear();
		const event = {
			v: 1,
			id: '6f0c1d1e-7d55-4f1e-9f3f-0d9f0f8f7a01',
			ts: clock.now(),
			client: 'claude',
			event: 'Notification',
			pid: 1,
			agentPid: 1,
			data: {session_id: 's', hook_event_name: 'Notification', notification_type: 'permission_prompt'},
		};
		const [socket] = findSockets([environment.runtime], currentEnvironment());
		for (const _time of ['first', 'again']) {
			const line = connect(socket?.file ?? '');
			line.end(encodeEnvelope(event));
			let answer = '';
			line.on('data', bytes => {
				answer += bytes;
			});
			await until(() => answer.includes(event.id));
			expect(database.events.recent(10)).toHaveLength(1);
			await clock.advance(20);
			expect(model.requests).toHaveLength(1);
		}
		expect([...stores.fleet.getState().signals.values()]).toMatchObject([{state: 'needs-permission'}]);
	},
);

test("retries a message while a new session can't be found yet, and fails it if an old one is gone", async () => {
	await engine.start();
	const fresh = {sessionId: 'fresh', createdAt: clock.now(), updatedAt: clock.now()};
	engine.sessions.remember(fresh as Session, 'created', 'created');
	engine.registry.addSession('old', 'added');
	model.intercept = () => {
		throw notFound();
	};
	await engine.outbox.enqueue('fresh', {text: 'one'});
	await engine.outbox.enqueue('old', {text: 'two'});
	await clock.advance(90_000);
	expect(database.outbox.all().map(({state}) => state)).toEqual(['queued', 'failed']);
	await clock.advance(120_000);
	expect(database.outbox.all().map(({state}) => state)).toEqual(['failed', 'failed']);
});

test('stop() releases requests that are waiting for a key', async () => {
	await engine.start();
	model.intercept = () => {
		throw new UnauthorizedError('The key was refused.', {hint: 'Set it.', status: 401});
	};
	engine.sessions.open('s');
	await clock.advance(100);
	await engine.outbox.enqueue('s', {text: 'kept'});
	await clock.advance(100);
	await engine.stop();
	expect(database.outbox.all().map(({state}) => state)).toEqual(['queued']);
});

test('probes a session when the user refreshes it, not when it is opened', async () => {
	await engine.start();
	engine.sessions.open('s');
	engine.sessions.focus('s');
	await clock.advance(1_000);
	expect(model.requests.some(({kind}) => kind === 'probe')).toBe(false);
	engine.refresh('s');
	await clock.advance(1_000);
	expect(model.requests.filter(({kind}) => kind === 'probe')).toHaveLength(1);
	expect(session('s')).toMatchObject({status: {value: 'idle', source: 'updated'}});
});

test("a probe that was under way when a session was updated doesn't undo the update", async () => {
	await engine.start();
	engine.sessions.open('s');
	const updated = {sessionId: 's', status: 'idle', sessionSettings: {model: 'model-y'}};
	model.intercept = ({kind}) => {
		if (kind === 'probe') engine.sessions.remember(updated, 'added', 'updated');
	};
	engine.refresh('s');
	await clock.advance(1_000);
	expect(session('s')?.session).toMatchObject(updated);
	model.intercept = () => {};
	engine.refresh('s');
	await clock.advance(1_000);
	expect(session('s')?.session?.sessionSettings).toBeUndefined();
});

test('shows when it will retry an unreachable service, and retries then', async () => {
	await engine.start();
	let isDown = false;
	const tries: number[] = [];
	model.intercept = () => {
		tries.push(clock.now());
		if (isDown) throw new UnreachableError('The service is not there.', {hint: 'Is it running?'});
	};
	model.add('s', 1);
	engine.sessions.open('s');
	engine.sessions.focus('s');
	await clock.advance(10_000);
	isDown = true;
	await clock.advance(90_000);
	const {state, retryAt = 0, problem} = stores.connection.getState();
	expect([state, problem?.what]).toEqual(['offline', 'The service is not there.']);
	expect(retryAt).toBeGreaterThan(clock.now());
	tries.length = 0;
	await clock.advance(retryAt - clock.now() - 1);
	expect(tries).toEqual([]);
	await clock.advance(10);
	expect(tries).toHaveLength(1);
	isDown = false;
	engine.refresh();
	await clock.advance(100);
	expect(stores.connection.getState()).toMatchObject({state: 'polling', problem: undefined});
});

test("sends messages that couldn't reach the service as soon as it responds, without their own delay", async () => {
	await engine.start();
	let isDown = false;
	model.intercept = () => {
		if (isDown) throw new UnreachableError('The service is not there.', {hint: 'Is it running?'});
	};
	for (const id of ['s', 't']) {
		model.add(id, 1);
		engine.sessions.open(id);
	}
	await clock.advance(10_000);
	isDown = true;
	await clock.advance(1_000);
	await engine.outbox.enqueue('s', {text: 'one'});
	await engine.outbox.enqueue('t', {text: 'two'});
	const queued = () =>
		['s', 't'].flatMap(id => stores.outbox.getState().bySession.get(id) ?? []).map(({state}) => state);
	// Until its own next try is far away.
	await clock.advance(180_000);
	expect(queued()).toEqual(['queued', 'queued']);
	const soon = ['s', 't'].flatMap(id =>
		(stores.outbox.getState().bySession.get(id) ?? []).map(({notBefore = 0}) => notBefore),
	);
	expect(Math.min(...soon)).toBeGreaterThan(clock.now() + 2_000);
	isDown = false;
	engine.refresh('s');
	await clock.advance(1_000);
	expect(queued().every(state => state === 'accepted' || state === 'seen')).toBe(true);
});

test('a failing connection counts as unreachable and shows why, and the message stays queued', async () => {
	class ConfigError extends Error {
		override readonly name = 'ConfigError';
	}
	const connection = new Connection(async () => {
		throw new ConfigError('the key file can be read by others: chmod 600 it');
	});
	const service = createService(connection);
	stores = createStores();
	engine = new Engine({service, database, stores, clock, owner: 'test', hooks: 'off', random: () => 0.5});
	await engine.start();
	engine.sessions.open('s');
	await engine.outbox.enqueue('s', {text: 'kept'});
	await clock.advance(100);
	await eventually(() =>
		expect(stores.connection.getState()).toMatchObject({
			state: 'offline',
			problem: {what: 'the key file can be read by others: chmod 600 it'},
		}),
	);
	expect(database.outbox.all().map(({state}) => state)).toEqual(['queued']);
});

test('adopts a newer snapshot of a computer from another program, but not an older one', async () => {
	const box = (name: string, readAt: number) => ({
		id: 'c',
		origin: 'added' as const,
		addedAt: 1,
		computer: {id: 'c', status: 'active', name},
		fetchedAt: readAt,
	});
	const name = () => stores.fleet.getState().computers.get('c')?.computer?.name;
	database.computers.put(box('box', clock.now()));
	// The service itself never says the other name.
	model.computers.set('c', {id: 'c', status: 'active', name: 'box'});
	await engine.start();
	await clock.advance(2_000);
	const other = openDatabase({file: databaseFile, now: clock.now});
	other.computers.put(box('renamed', clock.now() + 1));
	await eventually(async () => {
		await clock.advance(1_000);
		expect(name()).toBe('renamed');
	});
	other.computers.put(box('out of date', 1));
	other.sessions.put({id: 'theirs', origin: 'added', addedAt: clock.now()});
	await eventually(async () => {
		await clock.advance(1_000);
		expect(session('theirs')).toBeDefined();
	});
	expect(name()).not.toBe('out of date');
	other.close();
});

test("doesn't mistake its own writes for another program's, and has no timer at rest", async () => {
	await engine.start();
	const archived = {sessionId: 'ours', sessionSettings: {archivedAt: 'then'}};
	engine.sessions.remember(archived, 'added', 'updated');
	await atRest();
	expect(session('ours')?.origin).toBe('added');
});

test("asks for the users to check the service if the only session read isn't found", async () => {
	let asked = 0;
	const unlessFirst = async () => {
		if (asked === 1) throw new NotFoundError('Not found (404).', {hint: 'Check the address.', status: 404});
		return {items: [], hasMore: false};
	};
	const list = async () => {
		asked++;
		return unlessFirst();
	};
	stores = createStores();
	const service = {
		...model.service,
		users: {list},
		controls: {history: unlessFirst},
		analytics: {lastDay: async () => '2026-05-01', activity: unlessFirst},
	} as unknown as Service;
	engine = new Engine({service, database, stores, clock, owner: 'test', hooks: 'off', random: () => 0.5});
	await engine.start();
	model.intercept = () => {
		throw notFound();
	};
	engine.sessions.open('gone');
	engine.checkKey();
	await clock.advance(1_000);
	expect(stores.connection.getState()).toMatchObject({refusal: {what: 'Not found (404).'}});
	expect(stores.connection.getState().okAt).toBeUndefined();
	await clock.advance(20_000);
	expect(stores.connection.getState().refusal).toBeUndefined();
	expect(stores.connection.getState().okAt).toBeGreaterThan(0);
	await clock.advance(600_000);
	expect(asked).toBe(2);
	// Nothing more is due, so no answer is missing.
	expect(stores.connection.getState().state).toBe('quiet');
});

test('any answer says that it is the service, whatever else is refused', async () => {
	const refuse = async () => {
		throw new NotFoundError('Not found (404).', {hint: 'Check the address.', status: 404});
	};
	stores = createStores();
	const service = {
		...model.service,
		users: {list: refuse},
		controls: {history: refuse},
		analytics: {lastDay: refuse},
	} as unknown as Service;
	engine = new Engine({service, database, stores, clock, owner: 'test', hooks: 'off', random: () => 0.5});
	await engine.start();
	engine.checkKey();
	await clock.advance(1_000);
	expect(isBlocked(stores.connection.getState())).toBe(true);
	reportResponse(stores.connection, {at: clock.now(), latency: 5});
	expect(isBlocked(stores.connection.getState())).toBe(false);
	await clock.advance(60_000);
	expect(isBlocked(stores.connection.getState())).toBe(false);
});

test('a key that may not list users still counts as connected', async () => {
	stores = createStores();
	const list = async () => {
		throw new ForbiddenError('Forbidden (403).', {hint: 'Ask for the permission.', status: 403});
	};
	const service = {...model.service, users: {list}} as unknown as Service;
	engine = new Engine({service, database, stores, clock, owner: 'test', hooks: 'off', random: () => 0.5});
	await engine.start();
	engine.checkKey();
	await clock.advance(1_000);
	expect(stores.connection.getState()).toMatchObject({state: 'quiet', okAt: expect.any(Number)});
});
