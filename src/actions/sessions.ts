import {NotFoundError} from '../api/errors.ts';
import {titleOf} from '../domain/known.ts';
import type {Session, SessionDraft, SessionPatch, SessionSettingsPatch} from '../domain/sessions/session.ts';
import type {ActionContext} from './context.ts';
import {lookUp, patchSession, postSession, removeSession, tagsToSend} from './fleet.ts';
import {done, notify, notifyFailure, type Result} from './notify.ts';
import {strings} from './strings.ts';

const {sessions: text} = strings;

/** Creates a session on a computer, adds it to the registry, and says `notice`. */
export async function createSession(
	context: ActionContext,
	draft: SessionDraft,
	notice: string,
): Promise<Result<Session>> {
	try {
		const session = await postSession(context, draft);
		notify(context, 'good', notice);
		return done(session);
	} catch (error) {
		return notifyFailure(
			context,
			error,
			"The session may exist anyway, and the service can't list sessions to check. Create it again only if a duplicate does no harm.",
		);
	}
}

/** Changes the mode or the settings of a session. Safe to repeat with the same values after a failure. */
export async function updateSession(
	context: ActionContext,
	sessionId: string,
	changes: SessionSettingsPatch & Pick<SessionPatch, 'mode'>,
): Promise<Result<Session>> {
	try {
		const names = changes.tags?.map(({name}) => name);
		const tags = names && (await tagsToSend(context, sessionId, names));
		const patch = {...changes, ...(tags && {tags})};
		const {session, lost} = await patchSession(context, sessionId, patch);
		const said = changes.mode ? text.mode(session.mode ?? changes.mode) : 'Session updated';
		if (lost.length > 0)
			notify(context, 'bad', `Session updated, but the service dropped its ${lost.join(', ')}`);
		else notify(context, 'good', said);
		return done(session);
	} catch (error) {
		return notifyFailure(context, error);
	}
}

/** Removes a session from the registry; the service keeps it. Returns an undo function. */
export function forgetSession(context: ActionContext, sessionId: string): () => void {
	const signals = [...context.stores.fleet.getState().signals.values()].filter(
		signal => signal.sessionId === sessionId,
	);
	const known = removeSession(context, sessionId);
	notify(
		context,
		'info',
		`Session forgotten here, not at the service; ${context.keyName('undo')} undoes this`,
	);
	return () => {
		if (known) context.engine.registry.restoreSession(known, signals);
	};
}

/**
 * Adds an existing session to the registry by its id, and asks the service once for its title, status and computer. An
 * id that the service doesn't have isn't added; one that it can't be asked about now is.
 */
export async function addSession(context: ActionContext, input: string): Promise<Result<string>> {
	const id = input.trim();
	if (id === '') return {isDone: false, what: 'The ID of the session is missing.', field: 'id'};
	const {service, engine} = context;
	const failure = await lookUp(options => service.messages.list(id, {limit: 1}, options));
	if (failure instanceof NotFoundError)
		return {
			isDone: false,
			what: "The service has no session with this id: is it a computer's? One that was just created may take a few seconds.",
			field: 'id',
		};
	engine.registry.addSession(id, 'added');
	engine.refresh(id);
	return done(id);
}

/** Renames a session on this machine only; an empty name, or its title, restores the title. */
export function nameSession(context: ActionContext, sessionId: string, input: string): () => void {
	const known = context.stores.fleet.getState().sessions.get(sessionId);
	const typed = input.trim();
	const name = known && typed === titleOf(known) ? '' : typed;
	context.engine.registry.markSession(sessionId, {name});
	const undo = context.keyName('undo');
	notify(
		context,
		'good',
		name === ''
			? `The service's title is shown again; ${undo} undoes this`
			: `Renamed on this machine; ${undo} undoes this`,
	);
	return () => context.engine.registry.markSession(sessionId, {name: known?.name ?? ''});
}

/** Pins a session to the top of its group, or unpins it, on this machine only. */
export function pinSession(context: ActionContext, sessionId: string, pinned: boolean): void {
	context.engine.registry.markSession(sessionId, {pinned});
	notify(context, 'info', (pinned ? text.pinned : text.unpinned)(context.keyName('pin')));
}

/** Continues all sessions that the end of the service cut off, or leaves them so for good. */
export async function settleCutOff(context: ActionContext, continues: boolean): Promise<void> {
	try {
		const ids = await context.service.runningService.settleCutOff(continues);
		for (const id of ids) context.engine.refresh(id);
		if (continues) notify(context, 'good', text.continued(ids.length));
	} catch (error) {
		notifyFailure(context, error);
	}
}
