import {join} from 'node:path';
import {expect} from 'vitest';
import type {Database} from '../../src/db/database.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import {createStores, type Stores} from '../../src/state/stores.ts';
import {Engine, type EngineOptions} from '../../src/sync/engine.ts';
import {type FakeClock, fakeClock} from './fake-clock.ts';
import {type ListingModel, listingModel, type ModelOptions} from './listing-model.ts';
import {temporaryFolder} from './local-service.ts';

type StartOptions = Pick<EngineOptions, 'statusProbe' | 'isEmbedded' | 'onPeerWrites'>;

/** An engine that hears of no hooks, over a model of the service and one database; it can be stopped and started again. */
export type EngineBench = {
	readonly clock: FakeClock;
	readonly model: ListingModel;
	readonly database: Database;
	readonly file: string;
	/** Those of the engine that was started last. */
	readonly stores: Stores;
	readonly engine: Engine;
	start(options?: StartOptions): Promise<void>;
	/** Stops the engine; fails when that leaves a timer. */
	end(): Promise<void>;
};

export function engineBench({
	requestsPerSecond,
	storageLimit,
	...listing
}: Partial<Omit<ModelOptions, 'clock'>> &
	Pick<EngineOptions, 'requestsPerSecond' | 'storageLimit'> = {}): EngineBench {
	const clock = fakeClock();
	const model = listingModel({clock, pages: 'newest-first', latency: 5, ...listing});
	const file = join(temporaryFolder(), 'kept.db');
	const database = openDatabase({file, now: clock.now});
	const {service} = model;
	const build = (options: StartOptions = {}) => {
		const stores = createStores();
		const parts = {service, database, stores, clock, owner: 'test', hooks: 'off', random: () => 0.5} as const;
		const limits = {
			...(requestsPerSecond !== undefined && {requestsPerSecond}),
			...(storageLimit !== undefined && {storageLimit}),
		};
		return {stores, engine: new Engine({...parts, ...limits, ...options})};
	};
	let built = build();
	return {
		clock,
		model,
		database,
		file,
		get stores() {
			return built.stores;
		},
		get engine() {
			return built.engine;
		},
		start(options) {
			built = build(options);
			return built.engine.start();
		},
		async end() {
			await built.engine.stop();
			expect(clock.pending).toBe(0);
			database.close();
		},
	};
}
