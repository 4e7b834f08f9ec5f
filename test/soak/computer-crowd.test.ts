import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createHttpService} from '../../src/api/http/http-service.ts';
import type {Service} from '../../src/api/service.ts';
import {Secret} from '../../src/config/secret.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import type {Computer} from '../../src/domain/computers/computer.ts';
import {createStores} from '../../src/state/stores.ts';
import {type Clock, systemClock} from '../../src/sync/core/clock.ts';
import {Engine} from '../../src/sync/engine.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {startFaultServer} from '../support/fault-server.ts';
import {listingModel} from '../support/listing-model.ts';
import {temporaryFolder} from '../support/local-service.ts';

const names = Array.from({length: 100}, (_, index) => `c-${index}`);

function provisioning(id: string, status = 'running'): Computer {
	const step = {id: '1', name: 'clone', status, startedAt: 1_700_000_000_000};
	return {
		id,
		name: id,
		status: status === 'done' ? 'active' : 'provisioning',
		provisioningSteps: [status === 'done' ? {...step, completedAt: 1_700_000_001_000} : step],
	};
}

async function startEngine(service: Service, clock: Clock, requestsPerSecond = 1_000) {
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db'), now: clock.now});
	const stores = createStores();
	const engine = new Engine({
		service,
		database,
		stores,
		clock,
		owner: 'test',
		hooks: 'off',
		requestsPerSecond,
	});
	onTestFinished(async () => {
		await engine.stop();
		database.close();
	});
	for (const id of names)
		database.computers.put({id, origin: 'created', addedAt: clock.now(), computer: provisioning(id)});
	await engine.start();
	return {engine, stores};
}

/** A real server whose computers are up after three reads each; counts what is on its way. */
async function startService() {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	const service = createHttpService({
		address: {baseUrl: server.url, appUrl: server.url, key: new Secret('key')},
		retries: 0,
	});
	onTestFinished(() => service.close());
	const reads = new Map<string, number>();
	const counts = {inFlight: 0, max: 0, listings: 0};
	let hold: Promise<void> = Promise.resolve();
	server.otherwise(async (response, {path}) => {
		counts.max = Math.max(counts.max, ++counts.inFlight);
		const id = path.split('/').at(-1) ?? '';
		const isListing = id === 'messages';
		if (!isListing) await hold;
		// A turn of the loop at least, so that what overlaps is seen to.
		await new Promise(resolve => setTimeout(resolve, 2));
		const count = (reads.get(id) ?? 0) + 1;
		reads.set(id, count);
		if (isListing) counts.listings++;
		counts.inFlight--;
		const body = isListing
			? {messages: [], pagination: {hasMore: false, nextCursor: ''}}
			: provisioning(id, count >= 3 ? 'done' : 'running');
		response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(body));
	});
	return {service, counts, reads, holdUntil: (release: Promise<void>) => (hold = release)};
}

async function until(isReady: () => boolean): Promise<void> {
	while (!isReady()) await new Promise(resolve => setTimeout(resolve, 5));
}

test('reads a hundred computers with at most four requests in flight, and sees every step end', async () => {
	const {service, counts, reads} = await startService();
	const {engine, stores} = await startEngine(service, systemClock);
	onTestFinished(engine.sessions.open('s'));
	engine.sessions.focus('s');
	const isUp = (id: string) => stores.fleet.getState().computers.get(id)?.computer?.status === 'active';
	await until(() => names.every(isUp));
	expect(counts.max).toBeGreaterThan(1);
	expect(counts.max).toBeLessThanOrEqual(4);
	expect(Math.min(...names.map(id => reads.get(id) ?? 0))).toBe(3);
	expect(counts.listings).toBeGreaterThan(0);
}, 60_000);

test("slow answers for a hundred computers don't hold up the open session", async () => {
	const {service, counts, reads, holdUntil} = await startService();
	let release = () => {};
	holdUntil(new Promise(resolve => (release = resolve)));
	const {engine} = await startEngine(service, systemClock);
	onTestFinished(engine.sessions.open('s'));
	engine.sessions.focus('s');
	await until(() => counts.listings >= 3);
	expect([...reads.keys()]).toEqual(['messages']);
	expect(counts.inFlight).toBeGreaterThanOrEqual(3);
	expect(counts.inFlight).toBeLessThanOrEqual(4);
	release();
	await until(() => reads.size > 100);
	expect(counts.max).toBeLessThanOrEqual(4);
}, 60_000);

test('reads a hundred computers every few seconds, twenty a second, and the focused one every second', async () => {
	const clock = fakeClock();
	const model = listingModel({clock, pages: 'tail', latency: 100});
	for (const id of names) model.computers.set(id, provisioning(id));
	const {engine} = await startEngine(model.service, clock);
	await clock.advance(20_000);
	// What changes is read often: without news the reads of each grow rarer.
	let word = 0;
	const change = () => {
		word++;
		for (const id of names) model.computers.set(id, provisioning(id, `running ${word}`));
	};
	change();
	await clock.advance(10_000);
	model.clear();
	for (let second = 0; second < 30; second++) {
		change();
		await clock.advance(1_000);
	}
	expect(model.maxInFlight).toBeLessThanOrEqual(4);
	expect(model.requests.length).toBeLessThanOrEqual(30 * 22);
	const readsOf = (id: string) => model.requests.filter(request => request.id === id).length;
	expect(Math.min(...names.map(readsOf))).toBeGreaterThanOrEqual(4);
	onTestFinished(engine.computers.watch('c-7'));
	await clock.advance(1_000);
	model.clear();
	for (let second = 0; second < 10; second++) {
		change();
		await clock.advance(1_000);
	}
	expect(readsOf('c-7')).toBeGreaterThanOrEqual(7);
	expect(readsOf('c-8')).toBeLessThanOrEqual(3);
});

test('reads each of a hundred idle computers within a quarter of the request budget', async () => {
	const clock = fakeClock();
	const model = listingModel({clock, pages: 'tail', latency: 20});
	for (const id of names) model.computers.set(id, {...provisioning(id, 'done'), createdAt: clock.now()});
	await startEngine(model.service, clock, 2);
	await clock.advance(60_000);
	model.clear();
	await clock.advance(600_000);
	expect(model.requests.length).toBeLessThanOrEqual(0.55 * 600);
	expect(new Set(model.requests.map(({id}) => id)).size).toBe(names.length);
});

test('reports unchanged answers of a hundred computers together, and keeps their ages true', async () => {
	const clock = fakeClock();
	const model = listingModel({clock, pages: 'tail', latency: 20});
	for (const id of names) model.computers.set(id, provisioning(id));
	const {stores} = await startEngine(model.service, clock);
	await clock.advance(60_000);
	model.clear();
	const changes = {fleet: 0, connection: 0};
	onTestFinished(stores.fleet.subscribe(() => changes.fleet++));
	onTestFinished(stores.connection.subscribe(() => changes.connection++));
	await clock.advance(60_000);
	const reads = model.requests.length;
	expect(reads).toBeGreaterThan(200);
	expect(changes.fleet).toBeGreaterThan(0);
	expect(changes.fleet).toBeLessThanOrEqual(12);
	expect(changes.connection).toBeLessThanOrEqual(61);
	const ages = [...stores.fleet.getState().computers.values()].map(
		known => clock.now() - (known.fetchedAt ?? 0),
	);
	// Each is read within half a minute, and what was read is told five seconds later at the latest by another read.
	expect(Math.max(...ages)).toBeLessThanOrEqual(40_000);
});
