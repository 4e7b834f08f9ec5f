import type {CallOptions} from '../api/client.ts';
import type {Service} from '../api/service.ts';
import type {Session, SessionDraft, SessionSettingsPatch} from '../domain/sessions/session.ts';
import {lostSettings} from '../domain/sessions/session-settings.ts';
import type {Stores} from '../state/stores.ts';
import type {Engine} from '../sync/engine.ts';

/** What the requests need: the screen passes its action context, a command its registry as the engine. */
export type SessionRequests = {
	readonly service: Pick<Service, 'sessions'>;
	readonly engine: Pick<Engine, 'rememberSession' | 'addSession' | 'markSession'>;
	readonly stores: Pick<Stores, 'fleet'>;
};

/** Creates a session at the service and adds it to the registry. Throws `ServiceError`. */
export async function postSession(
	{service, engine}: SessionRequests,
	draft: SessionDraft,
	options?: CallOptions,
): Promise<Session> {
	const session = await service.sessions.create(draft, options);
	engine.rememberSession(session, 'created', 'created');
	// The response may omit values that were sent.
	const {computerId, cwd} = draft;
	engine.addSession(session.sessionId, 'created', {computerId, ...(cwd !== undefined && {cwd})});
	return session;
}

/**
 * Updates a session at the service and in the registry; without a patch, this only reads it. `lost` names the
 * settings that the service dropped although they were not sent. Throws `ServiceError`.
 */
export async function patchSession(
	{service, engine, stores}: SessionRequests,
	sessionId: string,
	patch?: SessionSettingsPatch,
	options?: CallOptions,
): Promise<{readonly session: Session; readonly lost: readonly string[]}> {
	const before = stores.fleet.getState().sessions.get(sessionId)?.session?.sessionSettings;
	const session = await service.sessions.update(sessionId, patch ? {sessionSettings: patch} : {}, options);
	const after = session.sessionSettings;
	const {archivedAt} = patch ?? {};
	if (archivedAt === undefined) engine.rememberSession(session, 'added', 'updated');
	else {
		// The response may omit the value that was sent.
		const sessionSettings = {...after, archivedAt: after?.archivedAt || archivedAt};
		engine.rememberSession({...session, sessionSettings}, 'added', 'updated');
		engine.markSession(sessionId, {restored: ''});
	}
	return {session, lost: patch ? lostSettings(before, patch, after) : []};
}
