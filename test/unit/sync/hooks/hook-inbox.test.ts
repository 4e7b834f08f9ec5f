import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {Database} from '../../../../src/db/database.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import type {HookEvent, HookUpdate, Signal} from '../../../../src/domain/sessions/signal.ts';
import {createConnectionStore} from '../../../../src/state/connection.ts';
import {createFleetStore} from '../../../../src/state/fleet.ts';
import {createSafeWrite} from '../../../../src/sync/core/safe-write.ts';
import {Registry} from '../../../../src/sync/fleet/registry.ts';
import {HookInbox} from '../../../../src/sync/hooks/hook-inbox.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {noon} from '../../../support/fleet.ts';
import {hookEvent} from '../../../support/hook-event.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

let file: string;
const opened: Database[] = [];

beforeEach(() => {
	file = join(temporaryFolder(), 'kept.db');
});
afterEach(() => {
	for (const database of opened.splice(0)) database.close();
});

/** One program of those that share the file, as it is after its start. */
function program() {
	const clock = fakeClock(noon);
	const database = openDatabase({file, now: clock.now});
	opened.push(database);
	const fleet = createFleetStore();
	const registry = new Registry(
		database,
		fleet,
		createSafeWrite(database, createConnectionStore(), clock),
		clock,
	);
	registry.load();
	const updates: HookUpdate[] = [];
	let stored: HookEvent[] = [];
	const inbox = new HookInbox({
		database,
		registry,
		clock,
		onUpdate: one => updates.push(one),
		onStored: events => stored.push(...events),
	});
	/** What is new here; events of other programs are added as they are read. */
	const newIn = (run: () => void) => {
		stored = [];
		run();
		return stored;
	};
	return {
		clock,
		database,
		registry,
		give: (...events: readonly HookEvent[]) => newIn(() => inbox.store(events)),
		syncPeers: () => newIn(() => inbox.syncPeers()),
		stop: () => inbox.stop(),
		alerts: () => updates.flatMap(({alert}) => alert ?? []),
		fleet,
		state: () => fleet.getState().signals.get('claude:s')?.state,
	};
}

const asked = hookEvent({id: 'asked', data: {session_id: 's', notification_type: 'permission_prompt'}});
const prompted = hookEvent({
	id: 'prompted',
	ts: noon + 5,
	event: 'UserPromptSubmit',
	data: {session_id: 's'},
});
const stopped = hookEvent({id: 'stopped', ts: noon + 5, event: 'Stop', data: {session_id: 's'}});

test('counts an event that is given twice once, alone or with others', () => {
	const {give, alerts} = program();
	expect(give(asked, asked, prompted).map(({id}) => id)).toEqual(['asked', 'prompted']);
	expect(give(asked, {...asked, delivery: 'spool'})).toEqual([]);
	expect(alerts()).toEqual(['needs-you']);
});

test('a forgotten session comes back with its next event, but not with its last one after a restart', () => {
	const {give, registry} = program();
	give(stopped);
	registry.forgetSession('s');
	const next = program();
	next.give(stopped);
	expect(next.fleet.getState().sessions.size).toBe(0);
	expect(next.state()).toBeUndefined();
	next.give({...prompted, ts: noon + 10, receivedAt: noon + 10});
	expect(next.fleet.getState().sessions.has('s')).toBe(true);
	expect(next.state()).toBe('working');
	expect(program().state()).toBe('working');
});

test("a forgotten session isn't brought back by a client file newer than its last hook", async () => {
	const {give, registry, state, clock} = program();
	give(stopped);
	const signal = registry.current().signals.get('claude:s');
	if (!signal) throw new Error('the session has no signal');
	registry.putSignal({...signal, process: {pid: 1, start: '1'}});
	await clock.advance(20);
	registry.forgetSession('s');
	give({...prompted, id: 'file', event: 'ClientIdle', ts: noon + 6, receivedAt: noon + 20});
	expect(state()).toBeUndefined();
	give({...prompted, ts: noon + 21, receivedAt: noon + 21});
	expect(state()).toBe('working');
});

test('notifies both programs that share a file', () => {
	const [one, other] = [program(), program()];
	for (const {give, alerts, state} of [one, other]) {
		give(asked);
		expect([alerts(), state()]).toEqual([['needs-you'], 'needs-permission']);
	}
	expect(one.database.events.count()).toBe(1);
});

test("doesn't alert again for stored events that the spool gives to the next program", () => {
	program().give(asked, prompted);
	const next = program();
	next.give({...asked, delivery: 'spool'}, {...prompted, delivery: 'spool'});
	expect([next.alerts(), next.state()]).toEqual([[], 'working']);
});

test('of two events at the same moment the later delivery counts, and neither counts again', () => {
	program().give(prompted, stopped);
	const next = program();
	next.give({...prompted, delivery: 'spool'}, {...stopped, delivery: 'spool'});
	expect([next.alerts(), next.state()]).toEqual([[], 'done']);
});

test("a program that hears of an event late doesn't undo what another knows", () => {
	const [quick, slow] = [program(), program()];
	quick.give(asked, stopped);
	slow.give(asked);
	expect(program().state()).toBe('done');
});

test('a flood makes one change, after all of it is stored', () => {
	const {give, fleet, database} = program();
	const counts: number[] = [];
	fleet.subscribe(() => counts.push(database.events.count()));
	give(...Array.from({length: 50}, (_, index) => ({...prompted, id: `flood-${index}`, ts: noon + index})));
	expect(counts).toEqual([50]);
});

test('an event and its signal are kept together or not at all', () => {
	const {database, give, state} = program();
	const {events} = database;
	const broken = {...events, putSignal: () => expect.fail('the disk is full')};
	Object.assign(database, {events: broken});
	expect(() => give(asked)).toThrow('the disk is full');
	expect([events.count(), events.signals(), state()]).toEqual([0, [], undefined]);
	Object.assign(database, {events});
	expect(give(asked)).toHaveLength(1);
});

describe('what another program of the user stored', () => {
	test('arrives here with the next sync, alerts the user here too, and comes only once', () => {
		const [one, other] = [program(), program()];
		one.give({...asked, data: {...asked.data, cwd: '/home/me/shop'}, delivery: 'spool'});
		expect([other.alerts(), other.state()]).toEqual([[], undefined]);
		expect(other.syncPeers().map(({id}) => id)).toEqual(['asked']);
		expect([other.alerts(), other.state()]).toEqual([['needs-you'], 'needs-permission']);
		expect(other.fleet.getState().sessions.get('s')?.cwd).toBe('/home/me/shop');
		expect(other.syncPeers()).toEqual([]);
		expect(other.give(asked)).toEqual([]);
		expect(one.syncPeers()).toEqual([]);
	});

	test("doesn't undo what is known here, but is in the log all the same", () => {
		const [one, other] = [program(), program()];
		other.give(stopped);
		one.give({...asked, delivery: 'spool'});
		expect(other.syncPeers().map(({id}) => id)).toEqual(['asked']);
		expect([other.state(), program().state(), other.alerts()]).toEqual(['done', 'done', ['done']]);
	});

	test("is found among this program's own events, a part at a time", async () => {
		const [one, other] = [program(), program()];
		const flood = Array.from({length: 600}, (_, index) => ({
			...prompted,
			id: `flood-${index}`,
			ts: noon + index,
		}));
		const isTheirs = (event: HookEvent) => flood.indexOf(event) % 2 === 0;
		for (const event of flood) (isTheirs(event) ? one : other).give(event);
		const [first, rest] = [other.syncPeers(), other.syncPeers()];
		expect([first.length, rest.length]).toEqual([125, 0]);
		await other.clock.advance(1_000);
		expect([...first, ...rest]).toEqual(flood.filter(isTheirs));
	});

	test('is read no more after stop(): the database may be closed by then', async () => {
		const [one, other] = [program(), program()];
		for (let index = 0; index < 300; index++) one.give({...prompted, id: `${index}`, ts: noon + index});
		const found = other.syncPeers();
		other.stop();
		await other.clock.advance(1_000);
		expect([found.length, other.syncPeers().length, other.clock.pending]).toEqual([250, 0, 0]);
	});

	test("is told apart from a flood of this program's own events, however long", async () => {
		const [one, other] = [program(), program()];
		one.give({...asked, delivery: 'spool'});
		const own = Array.from({length: 20_500}, (_, index) => ({
			...prompted,
			id: `own-${index}`,
			ts: noon + index,
		}));
		other.give(...own);
		const found = other.syncPeers();
		await other.clock.advance(2_000);
		expect(found.map(({id}) => id)).toEqual(
			['asked'].filter(id => one.database.events.recent(30_000).some(one => one.id === id)),
		);
		expect(other.give(...own.slice(-5_000))).toEqual([]);
	});

	test('alerts nobody if it is old by now', async () => {
		const [one, other] = [program(), program()];
		one.give({...asked, delivery: 'spool'});
		await other.clock.advance(601_000);
		expect(other.syncPeers()).toHaveLength(1);
		expect([one.alerts(), other.alerts(), other.state()]).toEqual([['needs-you'], [], 'needs-permission']);
	});

	test("isn't news if it is from before the start", () => {
		program().give(asked);
		const next = program();
		expect([next.syncPeers(), next.alerts(), next.state()]).toEqual([[], [], 'needs-permission']);
	});

	test("isn't lost if it couldn't be adopted", () => {
		const [one, other] = [program(), program()];
		one.give({...asked, delivery: 'spool'});
		const {events} = other.database;
		Object.assign(other.database, {events: {...events, putSignal: () => expect.fail('the disk is full')}});
		expect(() => other.syncPeers()).toThrow('the disk is full');
		Object.assign(other.database, {events});
		expect(other.syncPeers()).toHaveLength(1);
		expect(other.state()).toBe('needs-permission');
	});

	test('about a session survives when this program first hears of it through a hook event', () => {
		const [one, other] = [program(), program()];
		one.registry.addSession('s', 'created', {computerId: 'box'});
		one.registry.markSession('s', {name: 'mine'});
		other.give({...asked, data: {...asked.data, cwd: '/home/me/shop'}});
		const kept = other.fleet.getState().sessions.get('s');
		expect(kept).toMatchObject({origin: 'created', computerId: 'box', name: 'mine', cwd: '/home/me/shop'});
		expect(program().fleet.getState().sessions.get('s')).toEqual(kept);
	});

	test('about a session survives when each program learns something else about it', () => {
		program().registry.addSession('s', 'created');
		const [one, other] = [program(), program()];
		one.registry.markSession('s', {name: 'mine', pinned: true});
		other.give(prompted);
		one.registry.addSession('s', 'added', {computerId: 'box'});
		one.registry.markSession('s', {pinned: false});
		other.give({...stopped, data: {...stopped.data, cwd: '/home/me/shop'}});
		const {sessions, signals} = program().fleet.getState();
		const kept = sessions.get('s');
		expect([...signals.values()].map(({state}) => state)).toEqual(['done']);
		expect(kept).toMatchObject({origin: 'created', name: 'mine', computerId: 'box'});
		expect(kept).not.toHaveProperty('pinned');
		expect(other.fleet.getState().sessions.get('s')).toMatchObject({name: 'mine', computerId: 'box'});
	});
});

test('hooks on another computer speak only of the sessions there', () => {
	const computer = {id: 'devbox-id', name: 'devbox', ts: 5};
	const ended = (sessionId: string, more: Partial<HookEvent> = {}) =>
		hookEvent({ts: noon + 9, event: 'SessionEnd', data: {session_id: sessionId}, computer, ...more});
	const {give, registry, fleet, database} = program();
	registry.addSession('served', 'added', {computerId: 'c'});
	give(prompted, hookEvent({id: 'there', event: 'Stop', data: {session_id: 'there'}, computer}));
	give(ended('s'), ended('s', {client: 'other'}), ended('served'));
	give(ended('there', {computer: {id: 'x', name: 'x', ts: 5}}));
	const states = () =>
		[...fleet.getState().signals.values()].map(({sessionId, state}) => `${sessionId} ${state}`).sort();
	expect(states()).toEqual(['s working', 'there done']);
	expect(fleet.getState().sessions.get('there')).toMatchObject({origin: 'hook', computerId: 'devbox-id'});

	// A program of an account that doesn't know the session can't tell whose it is.
	const signal = {...registry.current().signals.get('claude:there'), lastEventAt: noon + 20};
	database.events.putSignal({...signal, sessionId: 'served', state: 'ended'} as Signal);
	const next = program();
	expect(next.fleet.getState().signals.has('claude:served')).toBe(false);
});

test('an event of another computer that comes again counts once, whatever its time is then', () => {
	const from = (ts: number) => ({id: 'devbox-id', name: 'devbox', ts});
	const there = (event: HookEvent, ts: number) => ({...event, computer: from(ts)});
	program().give(there(asked, 1), there(stopped, 2));
	const next = program();
	next.give({...there(asked, 1), ts: noon + 900}, {...there(stopped, 2), ts: noon + 901});
	expect([next.alerts(), next.state(), next.database.events.count()]).toEqual([[], 'done', 2]);
});
