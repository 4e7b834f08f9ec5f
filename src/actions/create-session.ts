import type {Session, SessionDraft} from '../domain/session.ts';
import type {ActionContext} from './context.ts';
import {notify, notifyFailure} from './notify.ts';
import {done, type Result} from './result.ts';

const mayExist =
	"It may exist anyway, and the service can't list sessions: create it again only if a duplicate does no harm.";

/** Creates a session on a computer and adds it to the registry. */
export async function createSession(context: ActionContext, draft: SessionDraft): Promise<Result<Session>> {
	try {
		const session = await context.service.sessions.create(draft);
		context.engine.rememberSession(session, 'created', 'created');
		// The response may omit values that were sent: save them in the registry.
		context.engine.addSession(session.sessionId, 'created', {
			computerId: draft.computerId,
			...(draft.cwd !== undefined && {cwd: draft.cwd}),
		});
		notify(context, 'good', 'Session created: write the first message');
		return done(session);
	} catch (error) {
		return notifyFailure(context, error, mayExist);
	}
}
