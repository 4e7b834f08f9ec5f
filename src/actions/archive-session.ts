import type {ActionContext} from './context.ts';
import {notify, notifyFailure} from './notify.ts';
import {restoreSession} from './restore-session.ts';
import {done, type Result} from './result.ts';

/**
 * Archives a session by setting `archivedAt` in its settings: it leaves the lists and is no longer polled. Returns an
 * undo function, which restores the session on this machine only (see `restoreSession`).
 */
export async function archiveSession(context: ActionContext, sessionId: string): Promise<Result<() => void>> {
	const archivedAt = new Date(context.clock.now()).toISOString();
	try {
		const session = await context.service.sessions.update(sessionId, {sessionSettings: {archivedAt}});
		const origin = context.stores.fleet.getState().sessions.get(sessionId)?.origin ?? 'added';
		// The response may omit the value that was sent.
		const sessionSettings = {...session.sessionSettings};
		const asked = {
			...session,
			sessionSettings: {...sessionSettings, archivedAt: sessionSettings.archivedAt || archivedAt},
		};
		context.engine.rememberSession(asked, origin, 'updated');
		context.engine.markSession(sessionId, {restored: ''});
		notify(context, 'good', `Session archived; ${context.keyName('undo')} brings it back here`);
		return done(() => restoreSession(context, sessionId));
	} catch (error) {
		return notifyFailure(context, error);
	}
}
