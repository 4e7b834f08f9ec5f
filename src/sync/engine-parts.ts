import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {Clock} from '../domain/clock.ts';
import type {Stores} from '../state/stores.ts';
import type {SafeWrite} from './core/safe-write.ts';
import type {Scheduler} from './core/scheduler.ts';
import type {Registry} from './fleet/registry.ts';

export type EngineParts = {
	readonly service: Service;
	readonly database: Database;
	readonly stores: Stores;
	readonly clock: Clock;
	readonly safeWrite: SafeWrite;
	readonly scheduler: Scheduler;
	readonly registry: Registry;
};
