import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';
import {done, type Result} from './result.ts';

/** Adds an existing computer to the registry by its id; the engine then reads it. */
export function addComputer(context: ActionContext, input: string): Result<string> {
	const id = input.trim();
	if (id === '') return {isDone: false, what: 'The id of the computer is missing.', field: 'id'};
	context.engine.addComputer(id, 'added');
	notify(context, 'good', 'Computer added');
	return done(id);
}
