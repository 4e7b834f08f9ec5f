import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Renames a session on this machine only; an empty name restores the service's title. */
export function nameSession(context: ActionContext, sessionId: string, input: string): void {
	const name = input.trim();
	context.engine.markSession(sessionId, {name});
	notify(context, 'good', name === '' ? "The service's title is shown again" : 'Renamed on this machine');
}
