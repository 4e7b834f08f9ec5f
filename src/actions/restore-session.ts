import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/**
 * Brings an archived session back to the lists of this machine. At the service it stays archived: the contract can set
 * `archivedAt` and has no value that takes it off.
 */
export function restoreSession(context: ActionContext, sessionId: string): void {
	const known = context.stores.fleet.getState().sessions.get(sessionId);
	const archivedAt = known?.session?.sessionSettings?.archivedAt;
	if (!archivedAt) return;
	context.engine.markSession(sessionId, {restored: archivedAt});
	context.engine.refresh(sessionId);
	notify(context, 'info', "Shown here again; the service can't unarchive it");
}
