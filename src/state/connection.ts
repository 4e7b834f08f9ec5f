import {createStore, type StoreApi} from 'zustand/vanilla';
import type {FleetStore, Problem} from './fleet.ts';

/**
 * Connection state. `quiet`: nothing needs polling. `polling`: responses arrive. `slowed`: the service asked
 * us to wait. `offline`: the service can't be reached. `unauthorized`: 401, all requests wait for a key.
 */
export type ConnectionState = 'starting' | 'quiet' | 'polling' | 'slowed' | 'offline' | 'unauthorized';

export type Connection = {
	readonly state: ConnectionState;
	/** Time of the last successful response, Unix ms. */
	readonly okAt?: number;
	/** When the next poll is due or, if past, was due and is still awaiting a response. Unix ms. */
	readonly nextAt?: number;
	/** Latency of the last successful response, ms. */
	readonly latency?: number;
	/** When the next retry is due, Unix ms. */
	readonly retryAt?: number;
	/** Why requests are blocked. */
	readonly problem?: Problem;
	/** What answers the first request instead of the service; absent once the service has answered. */
	readonly refusal?: Problem;
	/** Unreadable response items skipped since startup. */
	readonly skipped?: Skipped;
	/** Service clock minus ours, ms, from the Date header. */
	readonly skew?: number;
	/** State of the hook socket, or the problem that keeps it from listening. */
	readonly hooks: 'off' | 'listening' | Problem;
	/** Why the database can't be written. `needsRestart`: it stays unwritable until a restart. */
	readonly storage?: Problem & {readonly needsRestart?: true};
	/** Size of the database file's contents, bytes; set on request. */
	readonly stored?: {
		readonly used: number;
		readonly free: number;
		readonly limit: number;
		readonly sessions: number;
		readonly messages: number;
	};
	/** Unacknowledged incidents with the database file, oldest first. */
	readonly incidents?: readonly {readonly at: number; readonly what: string}[];
};
/**
 * The most recent response with unreadable items: the resource (`what`), the number of items (`count`) and
 * the time (`at`, Unix ms).
 */
export type Skipped = {
	readonly total: number;
	readonly what: string;
	readonly count: number;
	readonly at: number;
};

/** Whether the service takes no requests: it refuses the key, has never answered, or something else answers. */
export function isBlocked({state, okAt, refusal}: Connection): boolean {
	return state === 'unauthorized' || (state === 'offline' && okAt === undefined) || refusal !== undefined;
}

/**
 * Whether the embedded service, which has no `host`, is about to list this machine: at a first start, the user's keys
 * can be faster.
 */
export function awaitsComputer(app: {
	readonly profile: {readonly host?: string};
	readonly stores: {readonly connection: ConnectionStore; readonly fleet: FleetStore};
}): boolean {
	const {okAt, problem} = app.stores.connection.getState();
	return (
		app.profile.host === undefined && app.stores.fleet.getState().computers.size === 0 && !okAt && !problem
	);
}

/** Whether nothing is known of what happens at the service now: it can't be reached, or refuses the key. */
export function isDown({state}: Connection): boolean {
	return state === 'offline' || state === 'unauthorized';
}

/** How long after its due time a response counts as missed, ms. */
const patience = 20_000;
/** Maximum interval at which data counts as live, ms. */
const liveWithin = 10_000;

/**
 * How fresh the data is while the service is polled. `live`: responses arrive every few seconds. `polling`:
 * they arrive on time, at a slower pace. `stale`: the last due response is missing.
 */
export function freshness(
	{okAt, nextAt}: Pick<Connection, 'okAt' | 'nextAt'>,
	now: number,
): 'live' | 'polling' | 'stale' {
	const dueAt = Math.max(okAt ?? 0, nextAt ?? 0);
	if (now > dueAt + patience) return 'stale';
	return dueAt - (okAt ?? dueAt) <= liveWithin ? 'live' : 'polling';
}

/** When the data becomes `stale` unless a response arrives first, Unix ms. */
export function staleAt({okAt, nextAt}: Pick<Connection, 'okAt' | 'nextAt'>): number {
	return Math.max(okAt ?? 0, nextAt ?? 0) + patience + 1;
}

/** How often the sessions nobody has open are read. */
export type WatchReport = {
	readonly sessions: number;
	/** Longest time since the service last answered for a session, ms; absent until it has for each. */
	readonly oldest?: number;
	/** Requests a second that the budget allows at present. */
	readonly perSecond: number;
};

export type ConnectionStore = StoreApi<Connection>;

export function createConnectionStore(): ConnectionStore {
	return createStore<Connection>(() => ({state: 'starting', hooks: 'off'}));
}

/** Counts unreadable items of a response. */
export function countSkipped(store: ConnectionStore, what: string, count: number, at: number): void {
	if (count === 0) return;
	store.setState(({skipped}) => ({skipped: {total: (skipped?.total ?? 0) + count, what, count, at}}));
}

/** The service tells its time in whole seconds: a smaller change of the clock skew is no news, ms. */
const skewStep = 1_000;

/** Records the clock skew that a response tells. Each change draws a frame. */
export function reportSkew(store: ConnectionStore, skew: number): void {
	const {skew: known = Number.POSITIVE_INFINITY} = store.getState();
	if (Math.abs(skew - known) > skewStep) store.setState({skew});
}
