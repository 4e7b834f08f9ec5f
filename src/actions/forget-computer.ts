import type {ActionContext} from './context.ts';
import {tell} from './tell.ts';

/** Takes a computer out of the registry; the service keeps it. The returned function undoes it. */
export function forgetComputer(context: ActionContext, computerId: string): () => void {
	const known = context.stores.fleet.getState().computers.get(computerId);
	context.engine.forgetComputer(computerId);
	tell(context, 'info', `The computer is forgotten here; ${context.keyName('undo')} undoes it`);
	return () => {
		if (known) context.engine.restoreComputer(known);
	};
}
