import type {CallOptions} from '../api/client.ts';
import type {Service} from '../api/service.ts';
import type {Computer} from '../domain/computers/computer.ts';
import type {KnownComputer, KnownSession, Origin} from '../domain/known.ts';
import type {Session, SessionDraft, SessionSettingsPatch} from '../domain/sessions/session.ts';
import {lostSettings} from '../domain/sessions/session-settings.ts';
import type {Stores} from '../state/stores.ts';
import type {Engine} from '../sync/engine.ts';

/**
 * What the screen and headless commands both do to computers and sessions. The caller reports the result and
 * any `ServiceError`. The screen passes its action context; a command, its registry as the engine.
 */
export type FleetContext = {
	readonly service: Pick<Service, 'computers' | 'sessions'>;
	readonly engine: Pick<Engine, 'forgetComputer' | 'forgetSession'> &
		Pick<Engine, 'rememberComputer' | 'rememberSession' | 'addSession' | 'markSession'>;
	readonly stores: Pick<Stores, 'fleet'>;
};

/** The part that needs no service. */
type LocalFleet = Pick<FleetContext, 'engine' | 'stores'>;

/** Makes a call that returns a computer, such as one that creates it, and saves the computer in the registry. */
export async function requestComputer(
	{service, engine}: FleetContext,
	call: (computers: Service['computers']) => Promise<Computer>,
	origin: Origin = 'added',
): Promise<Computer> {
	const computer = await call(service.computers);
	engine.rememberComputer(computer, origin);
	return computer;
}

/** Adds an existing computer by its id as typed. Returns the id; undefined if it is blank. */
export function addComputerId(engine: Pick<Engine, 'addComputer'>, input: string): string | undefined {
	const id = input.trim();
	if (id === '') return undefined;
	engine.addComputer(id, 'added');
	return id;
}

/** Removes a computer from the registry; the service keeps it. Returns it; undefined if it wasn't known. */
export function removeComputer({engine, stores}: LocalFleet, id: string): KnownComputer | undefined {
	const known = stores.fleet.getState().computers.get(id);
	engine.forgetComputer(id);
	return known;
}

/** Creates a session at the service and adds it to the registry. */
export async function postSession(
	{service, engine}: FleetContext,
	draft: SessionDraft,
	options?: CallOptions,
): Promise<Session> {
	const session = await service.sessions.create(draft, options);
	engine.rememberSession(session, 'created', 'created');
	// The response may omit values that were sent.
	const {computerId, cwd = undefined} = {...draft, ...pathOf(session)};
	engine.addSession(session.sessionId, 'created', {computerId, ...(cwd !== undefined && {cwd})});
	return session;
}

/** Where a session works that has a work tree of its own. */
function pathOf({workFolder}: Session): Pick<SessionDraft, 'cwd'> {
	return workFolder?.cwd === undefined ? {} : {cwd: workFolder.cwd};
}

/**
 * Updates a session at the service and in the registry; without a patch, this only reads it. `lost` names the
 * settings that the service dropped although they were not sent.
 */
export async function patchSession(
	{service, engine, stores}: FleetContext,
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

/** Adds an existing session by its id as typed. Returns the id; undefined if it is blank. */
export function addSessionId(
	engine: Pick<Engine, 'addSession'>,
	input: string,
	details?: {readonly computerId?: string},
): string | undefined {
	const id = input.trim();
	if (id === '') return undefined;
	engine.addSession(id, 'added', details);
	return id;
}

/** Removes a session from the registry; the service keeps it. Returns it; undefined if it wasn't known. */
export function removeSession({engine, stores}: LocalFleet, id: string): KnownSession | undefined {
	const known = stores.fleet.getState().sessions.get(id);
	engine.forgetSession(id);
	return known;
}
