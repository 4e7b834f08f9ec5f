import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Asks the service again, now: one computer or session, or all that is on screen. */
export function refresh(context: ActionContext, id?: string): void {
	if (context.stores.connection.getState().state === 'unauthorised') context.engine.resume();
	context.engine.refresh(id);
	notify(context, 'info', 'Asking the service');
}
