import type {CallOptions} from '../api/client.ts';
import {AbortError, isServiceError, type ServiceError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import type {Computer} from '../domain/computers/computer.ts';
import type {KnownComputer, KnownSession} from '../domain/known.ts';
import {canDiscard, type OutboxItem} from '../domain/messages/delivery.ts';
import type {
	Session,
	SessionDraft,
	SessionPatch,
	SessionSettingsPatch,
	SessionTag,
} from '../domain/sessions/session.ts';
import {lostSettings, sendableTag, tagsNamed} from '../domain/sessions/session-settings.ts';
import type {Fleet} from '../state/fleet.ts';
import type {Stores} from '../state/stores.ts';
import type {Engine} from '../sync/engine.ts';
import type {Outbox} from './messages.ts';
import {strings} from './strings.ts';

/**
 * Actions on computers and sessions that the screen and headless commands share. The caller reports the result and
 * any `ServiceError`. The screen passes its action context; a command, a registry in the engine's place.
 */
export type FleetContext = {
	readonly service: Pick<Service, 'computers' | 'sessions'>;
	readonly engine: {
		readonly registry: Pick<Engine['registry'], 'addSession' | 'forgetSession' | 'markSession'>;
		readonly computers: Pick<Engine['computers'], 'forget' | 'remember'>;
		readonly sessions: Pick<Engine['sessions'], 'remember'>;
	};
	readonly stores: Pick<Stores, 'fleet'>;
};

/** The part that needs no service. */
type LocalFleet = Pick<FleetContext, 'engine' | 'stores'>;

/**
 * Makes a call that returns a computer, and saves that in the registry. A known one keeps the id that was asked for,
 * even if the service calls it by another; without an id, the call creates one.
 */
export async function requestComputer(
	{service, engine, stores}: FleetContext,
	call: (computers: Service['computers']) => Promise<Computer>,
	askedId?: string,
): Promise<Computer> {
	const answered = await call(service.computers);
	const isKnown = askedId !== undefined && stores.fleet.getState().computers.has(askedId);
	const computer = isKnown ? {...answered, id: askedId} : answered;
	engine.computers.remember(computer, askedId === undefined ? 'created' : 'added');
	return computer;
}

/** Removes a computer from the registry; the service keeps it. Returns it; undefined if it wasn't known. */
export function removeComputer({engine, stores}: LocalFleet, id: string): KnownComputer | undefined {
	const known = stores.fleet.getState().computers.get(id);
	engine.computers.forget(id);
	return known;
}

/** What goes with another machine that is forgotten: its sessions, and the messages to them that weren't sent. */
export function machineParts({sessions}: Fleet, messages: readonly OutboxItem[], computerId: string) {
	const own = [...sessions.values()].filter(({computerId: id}) => id === computerId);
	const sessionIds = new Set(own.map(({id}) => id));
	const unsent = messages.filter(item => sessionIds.has(item.sessionId) && canDiscard(item));
	return {sessionIds, unsent, words: strings.computers.goesWith(sessionIds.size, unsent.length)};
}

/** Removes another machine from the registry, which the service has forgotten, with its sessions and their messages. */
export function removeMachine(
	{engine}: LocalFleet,
	outbox: Outbox,
	computerId: string,
	{sessionIds, unsent}: ReturnType<typeof machineParts>,
): void {
	for (const {id} of unsent) outbox.discard(id);
	for (const id of sessionIds) engine.registry.forgetSession(id);
	engine.computers.forget(computerId);
}

export async function postSession(
	{service, engine}: FleetContext,
	draft: SessionDraft,
	options?: CallOptions,
): Promise<Session> {
	const session = await service.sessions.create(draft, options);
	engine.sessions.remember(session, 'created', 'created');
	// The response may omit values that were sent.
	const {computerId, cwd} = draft;
	engine.registry.addSession(session.sessionId, 'created', {computerId, cwd: session.cwd ?? cwd});
	return session;
}

/**
 * Updates a session at the service and in the registry; without a patch, this only reads it. A known one keeps its
 * id, as a computer does. `lost` names the settings that the service dropped although they were not sent.
 */
export async function patchSession(
	{service, engine, stores}: FleetContext,
	sessionId: string,
	patch?: SessionSettingsPatch & Pick<SessionPatch, 'mode'>,
	options?: CallOptions,
): Promise<{readonly session: Session; readonly lost: readonly string[]}> {
	const known = stores.fleet.getState().sessions.get(sessionId);
	const before = known?.session?.sessionSettings;
	const {mode, ...sessionSettings} = patch ?? {};
	const values: SessionPatch = {
		sessionSettings: Object.keys(sessionSettings).length > 0 ? sessionSettings : undefined,
		mode,
	};
	const answered = await service.sessions.update(sessionId, values, options);
	const session = known ? {...answered, sessionId} : answered;
	const after = session.sessionSettings;
	const {archivedAt} = sessionSettings;
	if (archivedAt === undefined) engine.sessions.remember(session, 'added', 'updated');
	else {
		// The response may omit the value that was sent.
		const settings = {...after, archivedAt: after?.archivedAt || archivedAt};
		engine.sessions.remember({...session, sessionSettings: settings}, 'added', 'updated');
		engine.registry.markSession(sessionId, {restored: ''});
	}
	return {session, lost: patch ? lostSettings(before, sessionSettings, after) : []};
}

/**
 * Reads a session's tags, which are only sent as a whole list; those known here may lack what someone else changed. If it
 * can't be read or the answer lacks them, returns those known before.
 */
export async function readTags(
	context: FleetContext,
	id: string,
	options?: CallOptions,
): Promise<readonly SessionTag[]> {
	const before = context.stores.fleet.getState().sessions.get(id)?.session;
	const known = before?.sessionSettings?.tags;
	let tags: readonly SessionTag[] | undefined;
	try {
		tags = (await patchSession(context, id, undefined, options)).session.sessionSettings?.tags;
	} catch (error) {
		if (!before || !isServiceError(error) || error instanceof AbortError) throw error;
	}
	return (tags ?? known ?? []).map(sendableTag);
}

/** Tags by their names. Those that the session has now keep their metadata. */
export async function tagsToSend(
	context: FleetContext,
	id: string,
	names: readonly string[],
	options?: CallOptions,
): Promise<readonly SessionTag[]> {
	return names.length === 0 ? [] : tagsNamed(names, await readTags(context, id, options));
}

/** Removes a session from the registry; the service keeps it. Returns it; undefined if it wasn't known. */
export function removeSession({engine, stores}: LocalFleet, id: string): KnownSession | undefined {
	const known = stores.fleet.getState().sessions.get(id);
	engine.registry.forgetSession(id);
	return known;
}

/** How long to wait for the answer, ms: an id can be added while the service is down. */
const timeout = 5_000;

/**
 * Reads a computer or session to find out whether the service has it. Returns the error if that fails: `NotFoundError`
 * if there is no such id, `AbortError` if there is no result in time: it doesn't answer, or limits requests.
 */
export async function lookUp(
	call: (options: CallOptions) => Promise<unknown>,
	signal?: AbortSignal,
): Promise<ServiceError | AbortError | undefined> {
	const time = AbortSignal.timeout(timeout);
	try {
		await call({signal: signal ? AbortSignal.any([signal, time]) : time});
		return undefined;
	} catch (error) {
		if (isServiceError(error) || error instanceof AbortError) return error;
		throw error;
	}
}
