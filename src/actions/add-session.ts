import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';
import {done, type Result} from './result.ts';

/** Puts a session that exists already into the registry, by its id; the engine reads it once it is open. */
export function addSession(context: ActionContext, input: string): Result<string> {
	const id = input.trim();
	if (id === '') return {isDone: false, what: 'The id of the session is missing.', field: 'id'};
	context.engine.addSession(id, 'added');
	notify(context, 'good', 'The session is added here; it is read when it is opened');
	return done(id);
}
