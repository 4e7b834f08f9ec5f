import {archiveSessions} from '../../actions/several-sessions.ts';
import {isArchived} from '../../domain/known.ts';
import {unmarked} from '../../state/sessions/marked-sessions.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {withoutShown} from '../../state/view/shown-item.ts';
import {isTypingIn, setView} from '../../state/view/view.ts';
import {offerUndo} from '../offer-undo.ts';
import type {AppParts} from '../use-app.ts';

/**
 * Archives sessions. They leave the screen once the service has agreed, except one that the user is writing to by then.
 * Those that can't be archived stay marked.
 */
export async function archive(parts: AppParts, sessions: readonly SessionItem[]): Promise<void> {
	const {done, undo} = await archiveSessions(parts.actions, sessions);
	offerUndo(parts, {action: 'archive', subjects: done.map(id => ({kind: 'session', id}))}, undo);
	setView(parts.view, view => {
		const closed = view.showsArchived ? [] : done.filter(id => !isTypingIn(view, id));
		return unmarked(closed.reduce(withoutShown, view), done);
	});
}

/** Whether archiving them shows them here again: none that the service could archive is left. */
export function areAllArchived(sessions: readonly SessionItem[]): boolean {
	const atService = sessions.filter(({client}) => client === undefined);
	return atService.length > 0 && atService.every(({known}) => isArchived(known));
}
