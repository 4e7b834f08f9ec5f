import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';
import {done, type Result} from './result.ts';

/** Puts a session that exists already into the registry, by its id; the engine reads it once it is open. */
export function addSession(context: ActionContext, input: string): Result<string> {
	const id = input.trim();
	if (id === '') return {isDone: false, what: 'The id of the session is missing.', field: 'id'};
	context.engine.addSession(id, 'added');
	notify(context, 'good', 'Session added; its messages are read when you open it');
	return done(id);
}
