import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../../../src/db/open-database.ts';
import {createStores} from '../../../../src/state/stores.ts';
import {Scheduler} from '../../../../src/sync/core/scheduler.ts';
import {Registry} from '../../../../src/sync/fleet/registry.ts';
import {ActivityRecorder} from '../../../../src/sync/messages/activity-recorder.ts';
import {SessionWatcher} from '../../../../src/sync/messages/session-watcher.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {knownSession} from '../../../support/fleet.ts';
import {listingModel} from '../../../support/listing-model.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

test.each(['newest-first', 'oldest-first'] as const)(
	'%s: knows forty sessions without roles within a minute, with three requests each',
	async pages => {
		const clock = fakeClock();
		const model = listingModel({clock, pages, latency: 50});
		const database = openDatabase({file: join(temporaryFolder(), 'kept.db'), now: clock.now});
		const ids = Array.from({length: 40}, (_, index) => `s${index}`);
		for (const [index, id] of ids.entries()) {
			database.sessions.put(knownSession(id, {addedAt: clock.now()}));
			for (const role of ['user', 'assistant', 'tool', 'assistant'] as const) model.add(id, 1, role);
			if (index % 4 === 0) model.add(id, 1, 'user');
		}
		const stores = createStores();
		const scheduler = new Scheduler({clock, requestsPerSecond: 2});
		const safeWrite = (write: () => void) => write();
		const registry = new Registry(database, stores.fleet, safeWrite, clock);
		registry.load();
		const activity = new ActivityRecorder({registry, clock, outboxOf: () => [], skew: () => 0});
		const watcher = new SessionWatcher({
			service: model.service,
			database,
			stores,
			clock,
			safeWrite,
			scheduler,
			registry,
			activity,
			isAtWork: () => false,
			onRead() {},
		});
		onTestFinished(async () => {
			await Promise.all([watcher.stop(), scheduler.stop()]);
			database.close();
		});
		watcher.start();
		const isKnown = (id: string) => registry.session(id)?.activity !== undefined;
		for (let second = 0; second < 60 && !ids.every(isKnown); second++) await clock.advance(1000);
		expect(ids.filter(id => !isKnown(id))).toEqual([]);
		const listed = Map.groupBy(model.requests, ({query}) => query?.role ?? 'all');
		expect([...listed].map(([role, {length}]) => [role, length])).toEqual([
			['all', 40],
			['user', 40],
			['tool', 40],
		]);
		for (const [index, id] of ids.entries()) {
			const {state, title} = registry.session(id)?.activity ?? {};
			expect([state, title]).toEqual([index % 4 === 0 ? 'working' : 'done', model.ids(id)[0]]);
		}
	},
);
