import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Refreshes one computer or session, or everything on screen, immediately. */
export function refresh(context: ActionContext, id?: string): void {
	if (context.stores.connection.getState().state === 'unauthorised') context.engine.resume();
	context.engine.refresh(id);
	notify(context, 'info', 'Asking the service');
}
