import type {Session, SessionSettingsPatch} from '../domain/session.ts';
import {lostSettings} from '../domain/session-settings.ts';
import type {ActionContext} from './context.ts';
import {notify, notifyFailure} from './notify.ts';
import {done, type Result} from './result.ts';

/** Changes the settings of a session. Safe to repeat with the same values after a failure. */
export async function updateSession(
	context: ActionContext,
	sessionId: string,
	sessionSettings: SessionSettingsPatch,
): Promise<Result<Session>> {
	const before = context.stores.fleet.getState().sessions.get(sessionId);
	try {
		const session = await context.service.sessions.update(sessionId, {sessionSettings});
		context.engine.rememberSession(session, before?.origin ?? 'added', 'updated');
		const lost = lostSettings(before?.session?.sessionSettings, sessionSettings, session.sessionSettings);
		if (lost.length === 0) notify(context, 'good', 'Session updated');
		else notify(context, 'bad', `Session updated, but the service dropped its ${lost.join(', ')}`);
		return done(session);
	} catch (error) {
		return notifyFailure(context, error);
	}
}
