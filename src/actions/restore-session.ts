import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/**
 * Shows an archived session in the lists again, on this machine only. It stays archived at the service: the
 * API can set `archivedAt` but not clear it.
 */
export function restoreSession(context: ActionContext, sessionId: string): void {
	const known = context.stores.fleet.getState().sessions.get(sessionId);
	const archivedAt = known?.session?.sessionSettings?.archivedAt;
	if (!archivedAt) return;
	context.engine.markSession(sessionId, {restored: archivedAt});
	context.engine.refresh(sessionId);
	notify(context, 'info', "Shown here again; the service can't unarchive it");
}
