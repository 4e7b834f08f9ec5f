import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Removes a session from the registry; the service keeps it. Returns an undo function. */
export function forgetSession(context: ActionContext, sessionId: string): () => void {
	const known = context.stores.fleet.getState().sessions.get(sessionId);
	context.engine.forgetSession(sessionId);
	notify(context, 'info', `Session forgotten; ${context.keyName('undo')} undoes this`);
	return () => {
		const origin = known?.origin ?? 'added';
		if (known?.session)
			context.engine.rememberSession(known.session, origin, known.status?.source ?? 'memory');
		context.engine.addSession(sessionId, origin, {
			...(known?.computerId !== undefined && {computerId: known.computerId}),
			...(known?.cwd !== undefined && {cwd: known.cwd}),
		});
		const {name, restored, pinned} = known ?? {};
		if (name !== undefined || restored !== undefined || pinned !== undefined)
			context.engine.markSession(sessionId, {
				...(name !== undefined && {name}),
				...(restored !== undefined && {restored}),
				...(pinned !== undefined && {pinned}),
			});
	};
}
