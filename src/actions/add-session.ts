import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';
import {done, type Result} from './result.ts';

/** Adds an existing session to the registry by its id; the engine reads it when it is opened. */
export function addSession(context: ActionContext, input: string): Result<string> {
	const id = input.trim();
	if (id === '') return {isDone: false, what: 'The id of the session is missing.', field: 'id'};
	context.engine.addSession(id, 'added');
	notify(context, 'good', 'Session added; its messages are read when you open it');
	return done(id);
}
