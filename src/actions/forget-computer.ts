import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Removes a computer from the registry; the service keeps it. Returns an undo function. */
export function forgetComputer(context: ActionContext, computerId: string): () => void {
	const known = context.stores.fleet.getState().computers.get(computerId);
	context.engine.forgetComputer(computerId);
	notify(context, 'info', `Computer forgotten; ${context.keyName('undo')} undoes this`);
	return () => {
		if (known) context.engine.restoreComputer(known);
	};
}
