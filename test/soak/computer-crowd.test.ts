import {expect, onTestFinished, test} from 'vitest';
import {systemClock} from '../../src/domain/clock.ts';
import {provisioning, startCrowd, startCrowdService, until} from '../support/computer-crowd.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {listingModel} from '../support/listing-model.ts';

const names = Array.from({length: 100}, (_, index) => `c-${index}`);

test('reads a hundred computers with at most four requests in flight, and sees every step end', async () => {
	const {service, counts, reads} = await startCrowdService();
	const {engine, stores} = await startCrowd(names, service, systemClock);
	onTestFinished(engine.sessions.open('s'));
	engine.sessions.focus('s');
	const isUp = (id: string) => stores.fleet.getState().computers.get(id)?.computer?.status === 'active';
	await until(() => names.every(isUp));
	expect(counts.max).toBeGreaterThan(1);
	expect(counts.max).toBeLessThanOrEqual(4);
	expect(Math.min(...names.map(id => reads.get(id) ?? 0))).toBe(3);
	expect(counts.listings).toBeGreaterThan(0);
}, 60_000);

test('reads a hundred computers every few seconds, twenty a second, and the focused one every second', async () => {
	const clock = fakeClock();
	const model = listingModel({clock, pages: 'newest-first', latency: 100});
	for (const id of names) model.computers.set(id, provisioning(id));
	const {engine} = await startCrowd(names, model.service, clock);
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
	const model = listingModel({clock, pages: 'newest-first', latency: 20});
	for (const id of names) model.computers.set(id, {...provisioning(id, 'done'), createdAt: clock.now()});
	await startCrowd(names, model.service, clock, 2);
	await clock.advance(60_000);
	model.clear();
	await clock.advance(600_000);
	expect(model.requests.length).toBeLessThanOrEqual(0.55 * 600);
	expect(new Set(model.requests.map(({id}) => id)).size).toBe(names.length);
});

test('reports unchanged answers of a hundred computers together, and keeps their ages true', async () => {
	const clock = fakeClock();
	const model = listingModel({clock, pages: 'newest-first', latency: 20});
	for (const id of names) model.computers.set(id, provisioning(id));
	const {stores} = await startCrowd(names, model.service, clock);
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
