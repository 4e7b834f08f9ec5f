import {mkdtempSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Database} from '../../src/db/database.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import {mayBeAtWork} from '../../src/state/sessions/session-state.ts';
import {createStores, type Stores} from '../../src/state/stores.ts';
import type {Stream} from '../../src/state/stream.ts';
import {createSafeWrite} from '../../src/sync/core/safe-write.ts';
import {Scheduler} from '../../src/sync/core/scheduler.ts';
import {Registry} from '../../src/sync/fleet/registry.ts';
import {ActivityRecorder} from '../../src/sync/messages/activity-recorder.ts';
import {Follower} from '../../src/sync/messages/follower.ts';
import {type FakeClock, fakeClock, settle} from './fake-clock.ts';
import {type ListingModel, listingModel, type ModelOptions} from './listing-model.ts';

/** A follower with everything it needs: a model service, a real database, the stores, a fake clock. */
export type FollowerBench = {
	readonly clock: FakeClock;
	readonly model: ListingModel;
	readonly stores: Stores;
	readonly database: Database;
	readonly registry: Registry;
	readonly scheduler: Scheduler;
	open(sessionId: string): Follower;
	/** Lets the answers under way arrive, moving the clock a little. */
	arrive(): Promise<void>;
	stream(sessionId: string): Stream | undefined;
	/** Ids of the entries, oldest first; a gap is `gap`. */
	shown(sessionId: string): readonly string[];
	/** Ends what was opened; the database stays. */
	stop(): Promise<void>;
	/** The same kept data under a program that was started again. */
	restart(): FollowerBench;
	end(): Promise<void>;
};

export function followerBench(options: Omit<ModelOptions, 'clock'>): FollowerBench {
	const clock = fakeClock();
	const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-follower-'));
	const database = openDatabase({file: join(folder, 'kept.db'), now: clock.now});
	const model = listingModel({clock, ...options});
	return createBench(clock, model, database, folder);
}

function createBench(
	clock: FakeClock,
	model: ListingModel,
	database: Database,
	folder: string,
): FollowerBench {
	const stores = createStores();
	const safeWrite = createSafeWrite(database, stores.connection, clock);
	const registry = new Registry(database, stores.fleet, safeWrite, clock);
	const scheduler = new Scheduler({clock, random: () => 0.5});
	const followers: Follower[] = [];
	registry.load();

	async function stop(): Promise<void> {
		await Promise.all(followers.splice(0).map(follower => follower.close()));
		await scheduler.stop();
	}

	return {
		clock,
		model,
		stores,
		database,
		registry,
		scheduler,
		open(sessionId) {
			registry.addSession(sessionId, 'added');
			const activity = new ActivityRecorder({registry, clock, outboxOf: () => [], skew: () => 0});
			const follower = new Follower({
				sessionId,
				service: model.service,
				database,
				safeWrite,
				registry,
				stores,
				scheduler,
				clock,
				isAtWork: () => mayBeAtWork({known: registry.session(sessionId)}, clock.now()),
				onPolled: reading => activity.record(sessionId, reading),
			});
			followers.push(follower);
			return follower;
		},
		async arrive() {
			for (let turn = 0; turn < 20; turn++) {
				await settle();
				await clock.advance(10);
			}
		},
		stream: sessionId => stores.streams.getState().open.get(sessionId),
		shown: sessionId =>
			(stores.streams.getState().open.get(sessionId)?.entries ?? []).map(entry =>
				entry.kind === 'gap' ? 'gap' : entry.id,
			),
		stop,
		restart: () => createBench(clock, model, database, folder),
		async end() {
			await stop();
			database.close();
			await rm(folder, {recursive: true, force: true});
		},
	};
}
