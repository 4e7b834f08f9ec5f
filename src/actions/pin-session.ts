import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Pins a session to the top of its group, or unpins it, on this machine only. */
export function pinSession(context: ActionContext, sessionId: string, pinned: boolean): void {
	context.engine.markSession(sessionId, {pinned});
	notify(context, 'info', pinned ? 'Pinned to the top of its group' : 'Unpinned');
}
