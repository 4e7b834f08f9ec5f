import type {Session, SessionDraft} from '../domain/session.ts';
import type {ActionContext} from './context.ts';
import {notify, notifyFailure} from './notify.ts';
import {done, type Result} from './result.ts';

const mayExist =
	'It may exist all the same, but nothing can list it: create it again only if a second one does no harm.';

/** Opens a session on a computer and keeps it in the registry. */
export async function createSession(context: ActionContext, draft: SessionDraft): Promise<Result<Session>> {
	try {
		const session = await context.service.sessions.create(draft);
		context.engine.rememberSession(session, 'created', 'created');
		// The answer may leave out what was asked for: the registry keeps it.
		context.engine.addSession(session.sessionId, 'created', {
			computerId: draft.computerId,
			...(draft.cwd !== undefined && {cwd: draft.cwd}),
		});
		notify(context, 'good', 'The session is open: write to it');
		return done(session);
	} catch (error) {
		return notifyFailure(context, error, mayExist);
	}
}
