import {createStore, type StoreApi} from 'zustand/vanilla';
import type {RunningService} from '../domain/running-service.ts';
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
	/** The embedded service's process, as it was when it was reached last; absent for a hosted service. */
	readonly embedded?: RunningService;
	/** The agents that the embedded service has, as read last. */
	readonly agents?: readonly string[];
	/** Latency of the last successful response, ms. */
	readonly latency?: number;
	/** When the next retry is due, Unix ms. */
	readonly retryAt?: number;
	/** Until when the base or app address wants no requests, Unix ms; readiness reports come from the app address. */
	readonly waitUntil?: {readonly base?: number; readonly app?: number};
	/** Why requests are blocked. */
	readonly problem?: Problem;
	/** Why no request has succeeded for a while: the service can't be reached, or fails. `at`: since when. */
	readonly outage?: Problem;
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

/** Whether the service accepts no requests: it refuses the key, has never answered, or something else answers. */
export function isBlocked({state, okAt, refusal}: Connection): boolean {
	return state === 'unauthorized' || (state === 'offline' && okAt === undefined) || refusal !== undefined;
}

/**
 * Whether the embedded service, which has no `host`, hasn't listed this machine yet: at a first start, the user can be
 * faster.
 */
export function awaitsComputer(app: {
	readonly profile: {readonly host?: string; readonly isConnected: boolean};
	readonly stores: {readonly connection: ConnectionStore; readonly fleet: FleetStore};
}): boolean {
	const {profile, stores} = app;
	const {okAt, problem} = stores.connection.getState();
	const isEmbedded = profile.isConnected && profile.host === undefined;
	return isEmbedded && stores.fleet.getState().computers.size === 0 && !okAt && !problem;
}

/** Whether the service can't be reached or refuses the key, so that its current state is unknown. */
export function isDown({state}: Connection): boolean {
	return state === 'offline' || state === 'unauthorized';
}

/** How long after its due time a response counts as missed, ms. */
export const responseTimeout = 5_000;
/** Maximum interval at which data counts as live, ms. */
const liveWithin = 10_000;

/**
 * How fresh the data is while the service is polled. `live`: responses arrive every few seconds. `polling`:
 * they arrive on time, at a slower pace, or none is due. `stale`: the last due response is missing.
 */
export function freshness({okAt, nextAt}: Connection, now: number): 'live' | 'polling' | 'stale' {
	if (nextAt === undefined) return 'polling';
	const due = dueAt({okAt, nextAt});
	if (now > due + responseTimeout) return 'stale';
	return due - (okAt ?? due) <= liveWithin ? 'live' : 'polling';
}

/** When the next response is due, or the last one came if that was later, Unix ms. */
export function dueAt({okAt = 0, nextAt = 0}: Partial<Pick<Connection, 'okAt' | 'nextAt'>>): number {
	return Math.max(okAt, nextAt);
}

/** When the data becomes `stale` unless a response arrives first, Unix ms. */
export function staleAt({okAt, nextAt}: Connection): number {
	return dueAt({okAt, nextAt}) + responseTimeout + 1;
}

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

export function countSkipped(store: ConnectionStore, what: string, count: number, at: number): void {
	if (count === 0) return;
	store.setState(({skipped}) => ({skipped: {total: (skipped?.total ?? 0) + count, what, count, at}}));
}

/** Answers that follow one within this time, ms, aren't recorded: each recorded one draws a frame. */
const answerStep = 3_000;

/**
 * Records that the service has answered a request, the engine's or another's, once it has answered the engine or something
 * else seemed to be at its address.
 */
export function reportResponse(
	store: ConnectionStore,
	{at, latency}: {readonly at: number; readonly latency: number},
): void {
	const {okAt, refusal} = store.getState();
	const isNews = okAt === undefined ? refusal !== undefined : at - okAt >= answerStep;
	if (isNews) store.setState({okAt: at, latency, refusal: undefined});
}

/** Smallest change of the clock skew that counts, ms: the service sends its time in whole seconds. */
const skewStep = 1_000;

/** Records the clock skew of a response. Each recorded change draws a frame. */
export function reportSkew(store: ConnectionStore, skew: number): void {
	const {skew: before = Number.POSITIVE_INFINITY} = store.getState();
	if (Math.abs(skew - before) > skewStep) store.setState({skew});
}
