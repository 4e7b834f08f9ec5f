import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Database} from '../../../../src/db/database.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import type {EventLogStore} from '../../../../src/state/event-log.ts';
import {createStores} from '../../../../src/state/stores.ts';
import {EventFeed} from '../../../../src/sync/hooks/event-feed.ts';
import {type FakeClock, fakeClock} from '../../../support/fake-clock.ts';
import {hookEvent} from '../../../support/hook-event.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

let clock: FakeClock;
let database: Database;
let store: EventLogStore;
let feed: EventFeed;

beforeEach(() => {
	clock = fakeClock();
	database = openDatabase({file: join(temporaryFolder(), 'kept.db'), now: clock.now});
	store = createStores().events;
	feed = new EventFeed(database.events, store, clock);
});
afterEach(() => {
	feed.stop();
	expect(clock.pending).toBe(0);
	database.close();
});

const ids = () => store.getState().entries.map(entry => entry.event.id);

function keep(...names: readonly string[]): void {
	for (const id of names) database.events.add(hookEvent({id}));
}

function receive(id: string): void {
	const event = hookEvent({id});
	database.events.add(event);
	feed.received([event]);
}

async function older(): Promise<void> {
	feed.loadOlder();
	await clock.advance(20);
}

test('reads nothing, keeps nothing in memory and runs no timer while nobody looks', async () => {
	keep('a');
	receive('b');
	await clock.advance(1000);
	expect(ids()).toEqual([]);
	expect(clock.pending).toBe(0);
});

test('shows stored and new events to whoever looks, with one change for a flood', async () => {
	keep('a', 'b');
	const stop = feed.watch();
	expect(ids()).toEqual(['a', 'b']);
	let changes = 0;
	store.subscribe(() => changes++);
	for (let index = 0; index < 500; index++) receive(`c${index}`);
	expect(changes).toBe(0);
	await clock.advance(50);
	expect([changes, ids().length, store.getState().storedCount]).toEqual([1, 502, 502]);
	stop();
	expect(ids()).toEqual([]);
});

test('fills the log while anyone looks', () => {
	keep('a');
	const [first, second] = [feed.watch(), feed.watch()];
	first();
	first();
	expect(ids()).toEqual(['a']);
	second();
	expect(ids()).toEqual([]);
});

test('loads older events in parts until there are none', async () => {
	for (let index = 0; index < 600; index++) keep(`e${index}`);
	feed.watch();
	expect([ids()[0], ids().length, store.getState().storedCount]).toEqual(['e350', 250, 600]);
	feed.loadOlder();
	feed.loadOlder();
	expect(ids().length).toBe(250);
	await clock.advance(20);
	expect([ids()[0], store.getState().hasOlder]).toEqual(['e100', true]);
	await older();
	await older();
	await older();
	expect([ids()[0], ids().length, store.getState().hasOlder]).toEqual(['e0', 600, false]);
});

test('drops older events that are being loaded once nobody looks', async () => {
	for (let index = 0; index < 600; index++) keep(`e${index}`);
	const leave = feed.watch();
	feed.loadOlder();
	leave();
	await clock.advance(1000);
	expect(ids()).toEqual([]);
});

test('shows a repeated event once, however many came in between and wherever it is', async () => {
	for (let index = 0; index < 2500; index++) keep(`e${index}`);
	feed.watch();
	receive('e2400');
	receive('new');
	for (let index = 0; index < 600; index++) receive(`f${index}`);
	receive('new');
	await clock.advance(50);
	expect([ids().length, new Set(ids()).size]).toEqual([851, 851]);
	// Kept before the part that is loaded, and given again by the spool.
	receive('e10');
	await clock.advance(50);
	expect(ids().at(-1)).toBe('e10');
	while (store.getState().hasOlder) await older();
	expect(new Set(ids()).size).toBe(ids().length);
});
