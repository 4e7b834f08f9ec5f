import {z} from 'zod';
import type {Envelope} from '../../../hooks/wire.ts';
import {machineOffer} from '../../domain/computers/computer.ts';
import {
	authorOffer,
	changesOffer,
	idempotencyOffer,
	type RunningService,
	type ServiceChanges,
} from '../../domain/running-service.ts';
import {agentOffer, agentRoot} from '../../domain/sessions/agent-request.ts';
import type {Session} from '../../domain/sessions/session.ts';
import {eventTime, type HookEvent} from '../../domain/sessions/signal.ts';
import {workFolderOffer} from '../../domain/sessions/work-folder.ts';
import {todayOffer} from '../../domain/usage/range.ts';
import type {LocalContext} from '../context.ts';
import {parseBody, parseQuery} from '../http/fields.ts';
import {get, post, type Route} from '../http/router.ts';
import type {StoredSession} from '../storage/sessions.ts';

const settleBody = z.strictObject({continues: z.boolean()});
const stopBody = z.strictObject({when: z.enum(['now', 'idle'])});

/** What the service offers beyond the contract. */
const offers: readonly string[] = [
	agentOffer,
	workFolderOffer,
	idempotencyOffer,
	machineOffer,
	changesOffer,
	authorOffer,
	todayOffer,
];

export function serviceStatus({storage, turns, lifetime}: LocalContext): RunningService {
	return {
		pid: process.pid,
		version: __VERSION__,
		startedAt: Math.round(performance.timeOrigin),
		offers,
		computerIds: storage.computers.all().map(({id}) => id),
		agentsAtWork: turns.atWork,
		isAtWork: lifetime.isAtWork(),
		endsWhenIdle: lifetime.endsWhenIdle,
		cutOffIds: storage.sessions.cutOff(),
	};
}

/**
 * Serves what the service says about its process, the request to end it, and what becomes of
 * sessions that the end of the one before cut off.
 */
export function serviceRoutes(context: LocalContext): Route[] {
	const {turns, lifetime} = context;
	const status = () => serviceStatus(context);
	return [
		get(`${agentRoot}/service`, status),
		post(`${agentRoot}/service/stop`, 202, ({body}) => {
			lifetime.stop(parseBody(stopBody, body).when);
			return status();
		}),
		post(`${agentRoot}/service/cut-off`, 200, ({body}) => ({
			sessionIds: turns.settleCutOff(parseBody(settleBody, body).continues),
		})),
		changeRoute(context),
	];
}

const maxChanges = 200;
/** Longest wait for a change, s. */
const maxWait = 600;
/** Hook events are served for this long, ms. */
const maxAge = 7 * 24 * 60 * 60_000;

const position = z.coerce.number().int().nonnegative().optional();
/** `hooksAfter`, for a Quarterdeck elsewhere: the hook events of this machine after a position, too. */
const changesQuery = z.strictObject({
	after: position,
	hooksAfter: position,
	wait: z.coerce.number().nonnegative().max(maxWait).optional(),
});

/** What changed, with the time by the clock here, as are all times in it. */
type ServedChanges = ServiceChanges & {
	readonly now: number;
	readonly hooks?: {readonly position: number; readonly events: readonly Envelope[]};
};

/**
 * Serves an offer beyond the contract: what changed since a cursor. It waits up to `wait` seconds if nothing did.
 * Without a cursor, or with one of another database, it begins with the first change.
 */
function changeRoute({storage, hookEvents, closing}: LocalContext): Route {
	return get(`${agentRoot}/changes`, async ({query}): Promise<ServedChanges> => {
		const {after = 0, hooksAfter, wait = 0} = parseQuery(changesQuery, query);
		const from = after > storage.changes.last() ? 0 : after;
		const read = () => storage.changes.after(from, maxChanges);
		let changes = read();
		const found = new AbortController();
		if (changes.length > 0 || wait === 0) found.abort();
		const until = AbortSignal.any([closing, found.signal, AbortSignal.timeout(wait * 1000)]);
		// Changes are told even if events can't be read.
		const hooksRead =
			hooksAfter === undefined ? undefined : hookEvents.after(hooksAfter, until).catch(() => undefined);
		void hooksRead?.then(hooks => hooks && found.abort());
		if (!until.aborted) {
			await storage.changes.next(until);
			changes = read();
			found.abort();
		}
		const hooks = await hooksRead;
		const now = Date.now();
		const idsOf = (...wanted: string[]) =>
			changes.flatMap(({kind, id}) => (wanted.includes(kind) ? [id] : []));
		// A session is told with its addition: its last change may be in a later answer.
		const sessionIds = new Set(idsOf('session', 'added'));
		return {
			cursor: changes.at(-1)?.seq ?? from,
			sessions: [...sessionIds].flatMap(id => {
				const session = storage.sessions.get(id);
				return session ? toChanged(session) : (storage.machineSessions.get(id) ?? []);
			}),
			addedIds: idsOf('added'),
			// One that is another machine may be gone.
			computerIds: idsOf('computer').filter(id => storage.computers.get(id)),
			now,
			hooks: hooks && {
				position: hooks.position,
				events: hooks.events.filter(isServed(now)).map(toEnvelope),
			},
		};
	});
}

/** The parts of a session that take no reading of its folder. */
function toChanged({id, computerId, title, status, createdAt, updatedAt}: StoredSession): Session {
	return {sessionId: id, computerId, title, status, createdAt, updatedAt};
}

/** Events of its own machines are theirs alone to tell. */
function isServed(now: number) {
	return ({computer, receivedAt}: HookEvent) => !computer && now - receivedAt < maxAge;
}

function toEnvelope({receivedAt, delivery: _, ...envelope}: HookEvent): Envelope {
	return {...envelope, ts: eventTime({...envelope, receivedAt, delivery: 'socket'})};
}
