import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Puts a session first in its group, on this machine; or back in its place. */
export function pinSession(context: ActionContext, sessionId: string, pinned: boolean): void {
	context.engine.markSession(sessionId, {pinned});
	notify(context, 'info', pinned ? 'Pinned to the top of its group' : 'Unpinned');
}
