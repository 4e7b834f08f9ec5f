import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Takes a computer out of the registry; the service keeps it. The returned function undoes it. */
export function forgetComputer(context: ActionContext, computerId: string): () => void {
	const known = context.stores.fleet.getState().computers.get(computerId);
	context.engine.forgetComputer(computerId);
	notify(context, 'info', `Computer forgotten; ${context.keyName('undo')} undoes this`);
	return () => {
		if (known) context.engine.restoreComputer(known);
	};
}
