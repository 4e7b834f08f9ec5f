import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {NotFoundError} from '../../../src/api/errors.ts';
import type {Database} from '../../../src/db/database.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import {createStores, type Stores} from '../../../src/state/stores.ts';
import {createEngine} from '../../../src/sync/create-engine.ts';
import type {Engine} from '../../../src/sync/engine.ts';
import {type FakeClock, fakeClock} from '../../support/fake-clock.ts';
import {type ListingModel, listingModel} from '../../support/listing-model.ts';
import {temporaryFolder} from '../../support/local-service.ts';

let clock: FakeClock;
let model: ListingModel;
let database: Database;
let stores: Stores;
let engine: Engine;

beforeEach(() => {
	clock = fakeClock();
	model = listingModel({clock, pages: 'tail', latency: 5});
	database = openDatabase({file: join(temporaryFolder(), 'kept.db'), now: clock.now});
});
afterEach(async () => {
	await engine.stop();
	expect(clock.pending).toBe(0);
	database.close();
});

async function start(): Promise<void> {
	stores = createStores();
	const {service} = model;
	engine = createEngine({service, database, stores, clock, owner: 'test', hooks: 'off', random: () => 0.5});
	await engine.start();
}

const session = (id: string) => stores.fleet.getState().sessions.get(id);

async function openFor(ms: number): Promise<void> {
	const release = engine.open('outside');
	await clock.advance(ms);
	release();
	await clock.advance(10);
}

test('what only hook events told of is asked for once, and never again unless the user wants it', async () => {
	await start();
	engine.addSession('outside', 'hook', {cwd: '/home/me/shop'});
	await clock.advance(600_000);
	expect(model.requests).toEqual([]);

	model.intercept = () => {
		throw new NotFoundError('No such session.', {hint: 'Check the id.', status: 404});
	};
	await openFor(600_000);
	expect(model.requests).toHaveLength(1);
	expect(session('outside')?.atService).toBe(false);
	expect(stores.fleet.getState().problems.has('outside')).toBe(false);
	await engine.stop();
	await start();
	await openFor(600_000);
	expect(model.requests).toHaveLength(1);

	model.intercept = () => {};
	model.add('outside', 2, 'user');
	const release = engine.open('outside');
	engine.refresh('outside');
	await clock.advance(1_000);
	expect(stores.streams.getState().open.get('outside')?.entries).toHaveLength(2);
	expect(session('outside')?.atService).toBe(true);
	expect(model.requests.filter(({kind}) => kind === 'probe')).toEqual([]);
	release();
});

test('one that the user adds by its id is a session like any other', async () => {
	await start();
	engine.addSession('outside', 'hook', {cwd: '/home/me/shop'});
	model.intercept = () => {
		throw new NotFoundError('No such session.', {hint: 'Check the id.', status: 404});
	};
	await openFor(1_000);
	engine.addSession('outside', 'added');
	expect(session('outside')).toMatchObject({origin: 'added', cwd: '/home/me/shop'});
	await openFor(1_000);
	expect(model.requests).toHaveLength(2);
	expect(stores.fleet.getState().problems.get('outside')?.what).toBe('No such session.');
	engine.addSession('outside', 'hook');
	expect(session('outside')?.origin).toBe('added');
});

test('a name and a return from the archive outlive a restart, whatever the service answers', async () => {
	await start();
	const archived = {sessionId: 's', sessionSettings: {archivedAt: 'then'}};
	engine.rememberSession(archived, 'added', 'updated');
	engine.markSession('s', {name: 'mine', restored: 'then'});
	engine.rememberSession({...archived, title: 'theirs'}, 'added', 'updated');
	await engine.stop();
	await start();
	expect(session('s')).toMatchObject({name: 'mine', restored: 'then', session: {title: 'theirs'}});
	engine.markSession('s', {name: ''});
	expect(session('s')?.name).toBeUndefined();
	expect(session('s')?.restored).toBe('then');
});

test('the screen that opens it, looks at it and hears of it at once asks one question', async () => {
	await start();
	engine.addSession('outside', 'hook', {cwd: '/home/me/shop'});
	model.intercept = () => {
		throw new NotFoundError('No such session.', {hint: 'Check the id.', status: 404});
	};
	const release = engine.open('outside');
	engine.focus('outside');
	await clock.advance(2);
	engine.setTerminalFocused(false);
	engine.setTerminalFocused(true);
	engine.focus(undefined);
	engine.focus('outside');
	await clock.advance(10_000);
	expect(model.requests).toHaveLength(1);
	release();
	await openFor(10_000);
	expect(model.requests).toHaveLength(1);
});
