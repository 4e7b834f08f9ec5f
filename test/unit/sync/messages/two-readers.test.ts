import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../../../src/db/open-database.ts';
import {sessionItems} from '../../../../src/state/sessions/session-items.ts';
import {createStores} from '../../../../src/state/stores.ts';
import {Scheduler} from '../../../../src/sync/core/scheduler.ts';
import {Registry} from '../../../../src/sync/fleet/registry.ts';
import {ActivityRecorder} from '../../../../src/sync/messages/activity-recorder.ts';
import {SessionWatcher} from '../../../../src/sync/messages/session-watcher.ts';
import {type FakeClock, fakeClock} from '../../../support/fake-clock.ts';
import {emptyOutbox, knownSession} from '../../../support/fleet.ts';
import {type ListingModel, listingModel} from '../../../support/listing-model.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

const second = 1000;

/** A program that reads in the background, over the state folder that all of a test share. */
function reader(file: string, clock: FakeClock, model: ListingModel) {
	const database = openDatabase({file, now: clock.now});
	const stores = createStores();
	const safeWrite = (write: () => void) => write();
	const scheduler = new Scheduler({clock, requestsPerSecond: 20});
	const registry = new Registry(database, stores.fleet, safeWrite, clock);
	registry.load();
	const watcher = new SessionWatcher({
		service: model.service,
		database,
		stores,
		clock,
		safeWrite,
		scheduler,
		registry,
		activity: new ActivityRecorder({registry, clock, outboxOf: () => [], skew: () => 0}),
		isAtWork: () => false,
		onRead() {},
	});
	watcher.start();
	onTestFinished(async () => {
		await Promise.all([watcher.stop(), scheduler.stop()]);
		database.close();
	});
	return {
		watcher,
		registry,
		/** Reads the session now, whenever it would be read next. */
		async read() {
			watcher.kick('s');
			await clock.advance(100);
		},
		/** What a write of another program sets off, within a second of it. */
		notice: () => registry.readPeerWrites(),
		state: () => sessionItems(stores.fleet.getState(), emptyOutbox)[0]?.state,
		activity: () => registry.session('s')?.activity,
	};
}

async function twoReaders(pages: 'newest-first' | 'oldest-first') {
	const clock = fakeClock();
	const model = listingModel({clock, pages, latency: 5, isLive: true});
	const file = join(temporaryFolder(), 'kept.db');
	const database = openDatabase({file, now: clock.now});
	database.sessions.put(knownSession('s', {addedAt: clock.now()}));
	database.close();
	model.add('s', 1, 'user');
	model.add('s', 1);
	await clock.advance(60 * second);
	return {clock, model, one: reader(file, clock, model), other: reader(file, clock, model)};
}

test.each(['newest-first', 'oldest-first'] as const)(
	'%s: two programs on one machine show a session alike, whichever reads it',
	async pages => {
		const {clock, model, one, other} = await twoReaders(pages);
		await one.read();
		await other.read();
		await clock.advance(60 * second);
		expect([one.state(), other.state()]).toEqual(['idle', 'idle']);
		model.add('s', 1);
		await one.read();
		expect(one.state()).toBe('working');
		other.notice();
		expect(other.state()).toBe('working');
		// The other finds the message itself ten seconds later: it is no newer for that.
		await clock.advance(10 * second);
		await other.read();
		one.notice();
		expect(other.activity()).toEqual(one.activity());
		// The turn is over after 15 s without a change, by whichever program that is read.
		await clock.advance(6 * second);
		await other.read();
		one.notice();
		expect([one.state(), other.state()]).toEqual(['done', 'done']);
	},
);

test("a program adopts what another wrote about a session, even if it wasn't told of the write", async () => {
	const {clock, model, one, other} = await twoReaders('newest-first');
	await one.read();
	await other.read();
	await clock.advance(60 * second);
	model.add('s', 1);
	await one.read();
	const changedAt = one.activity()?.changedAt;
	await clock.advance(9 * second);
	await other.read();
	expect(other.activity()?.changedAt).toBe(changedAt);
	one.registry.markSession('s', {name: 'renamed'});
	other.registry.markSession('s', {pinned: true});
	one.notice();
	expect(one.registry.session('s')).toMatchObject({name: 'renamed', pinned: true});
	expect(other.registry.session('s')).toMatchObject({name: 'renamed', pinned: true});
});

test("two programs that read at the same time agree, and don't take existing messages for work", async () => {
	const {clock, one, other} = await twoReaders('newest-first');
	one.watcher.kick('s');
	other.watcher.kick('s');
	await clock.advance(100);
	one.notice();
	expect([one.state(), other.state()]).toEqual(['idle', 'idle']);
	expect(one.activity()).toEqual(other.activity());
});
