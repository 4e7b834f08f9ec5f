import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';
import {done, type Result} from './result.ts';

/** Puts a computer that exists already into the registry, by its id; the engine reads it. */
export function addComputer(context: ActionContext, input: string): Result<string> {
	const id = input.trim();
	if (id === '') return {isDone: false, what: 'The id of the computer is missing.', field: 'id'};
	context.engine.addComputer(id, 'added');
	notify(context, 'good', 'Computer added');
	return done(id);
}
