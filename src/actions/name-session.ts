import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Names a session on this machine alone; an empty name gives it the service's title back. */
export function nameSession(context: ActionContext, sessionId: string, input: string): void {
	const name = input.trim();
	context.engine.markSession(sessionId, {name});
	notify(context, 'good', name === '' ? "The service's title is shown again" : 'Renamed on this machine');
}
