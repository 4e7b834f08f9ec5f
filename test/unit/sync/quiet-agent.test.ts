import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Database} from '../../../src/db/database.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import {createStores, type Stores} from '../../../src/state/stores.ts';
import {createEngine} from '../../../src/sync/create-engine.ts';
import type {Engine} from '../../../src/sync/engine.ts';
import type {ProbeMode} from '../../../src/sync/status-probe.ts';
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

async function start(statusProbe: ProbeMode): Promise<void> {
	stores = createStores();
	const {service} = model;
	engine = createEngine({
		service,
		database,
		stores,
		clock,
		owner: 'test',
		hooks: 'off',
		random: () => 0.5,
		statusProbe,
	});
	await engine.start();
	engine.open('s');
	engine.focus('s');
	await clock.advance(1_000);
}

/** An agent that has said one thing of its turn and is at work since, without a word. */
async function startQuietAgent(statusProbe: ProbeMode): Promise<void> {
	await start(statusProbe);
	model.running.add('s');
	await engine.enqueue('s', {text: 'build it'});
	await clock.advance(2_000);
	model.add('s', 1);
	await clock.advance(2_000);
	model.clear();
}

const status = () => stores.fleet.getState().sessions.get('s')?.status?.value;
const probes = () => model.requests.filter(({kind}) => kind === 'probe').length;

test('a service that is asked tells that a quiet agent is at work, and when it is no longer', async () => {
	await startQuietAgent('auto');
	const seen = new Set<string | undefined>();
	const unsubscribe = stores.fleet.subscribe(() => seen.add(status()));
	await clock.advance(20 * 60_000);
	expect([...seen]).toEqual(['running']);
	expect(probes()).toBeLessThanOrEqual(20 * 4);
	model.running.delete('s');
	await clock.advance(60_000);
	expect(status()).toBe('idle');
	model.clear();
	await clock.advance(10 * 60_000);
	expect(probes()).toBe(0);
	unsubscribe();
});

test('where it is not asked, silence after an answer is the end of the turn', async () => {
	await startQuietAgent('manual');
	await clock.advance(30_000);
	expect([status(), probes()]).toEqual(['idle', 0]);
});

test('a service that is asked tells of a session of which nothing was known, and is left alone then', async () => {
	await start('auto');
	expect([status(), probes()]).toEqual(['idle', 1]);
	await clock.advance(10 * 60_000);
	expect(probes()).toBe(1);
	await engine.stop();
	database.sessions.put({
		id: 's',
		origin: 'added',
		addedAt: clock.now(),
		status: {value: 'running', source: 'hook', at: clock.now() - 3_600_000},
	});
	await start('auto');
	expect([status(), probes()]).toEqual(['idle', 2]);
});
