import {z} from 'zod';
import type {ServiceChanges} from '../../domain/running-service.ts';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import type {Session} from '../../domain/sessions/session.ts';
import type {LocalContext} from '../context.ts';
import {parseQuery} from '../http/fields.ts';
import {get, type Route} from '../http/router.ts';
import type {StoredSession} from '../storage/sessions.ts';

/** Most changes in an answer. */
const maxChanges = 200;
/** Longest wait for a change, s. */
const maxWait = 600;

export const changesQuery = z.strictObject({
	after: z.coerce.number().int().nonnegative().optional(),
	wait: z.coerce.number().nonnegative().max(maxWait).optional(),
});

/**
 * Serves an offer beyond the contract: what changed since a cursor. It waits up to `wait` seconds if nothing did.
 * Without a cursor, or with one of another database, it begins with the first change.
 */
export function changeRoutes({storage, closing}: LocalContext): Route[] {
	return [
		get(`${agentRoot}/changes`, async ({query}): Promise<ServiceChanges> => {
			const {after = 0, wait = 0} = parseQuery(changesQuery, query);
			const from = after > storage.changes.last() ? 0 : after;
			const read = () => storage.changes.after(from, maxChanges);
			let changes = read();
			if (changes.length === 0 && wait > 0) {
				await storage.changes.next(AbortSignal.any([closing, AbortSignal.timeout(wait * 1000)]));
				changes = read();
			}
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
			};
		}),
	];
}

/** The parts of a session that take no reading of its folder. */
function toChanged({id, computerId, title, status, createdAt, updatedAt}: StoredSession): Session {
	return {sessionId: id, computerId, title, status, createdAt, updatedAt};
}
