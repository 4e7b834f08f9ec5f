import type {Service} from '../api/service.ts';
import type {Stores} from '../state/stores.ts';
import type {Clock} from '../sync/clock.ts';
import type {Engine} from '../sync/engine.ts';

/** What an action works with. Each action is one intent of the user: a function of this and its arguments. */
export type ActionContext = {
	readonly service: Service;
	readonly engine: Engine;
	readonly stores: Stores;
	readonly clock: Clock;
};
