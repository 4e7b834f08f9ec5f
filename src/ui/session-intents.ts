import {notify} from '../actions/notify.ts';
import {archiveSession, pinSession, restoreSession} from '../actions/sessions.ts';
import {isArchived} from '../domain/known.ts';
import {pushDialog} from '../state/dialogs.ts';
import {nextSort, sortTitles} from '../state/session-sort.ts';
import {withoutShown} from '../state/shown-item.ts';
import {targets} from './contexts.ts';
import {openFormDialog} from './dialogs/form/open-form-dialog.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';
import {listsNow} from './use-lists.ts';

/** Actions on a whole session: view, change and archive. */
export const sessionIntents = {
	details(parts: AppParts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId !== undefined)
			setView(parts.view, view => pushDialog(view, {kind: 'details', sessionId, top: 0}));
	},
	'edit-session'(parts: AppParts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId !== undefined) openFormDialog(parts, {name: 'edit-session', sessionId});
	},
	'rename-session'(parts: AppParts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId !== undefined) openFormDialog(parts, {name: 'rename-session', sessionId});
	},
	pin(parts: AppParts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId === undefined) return;
		const isPinned = parts.stores.fleet.getState().sessions.get(sessionId)?.pinned === true;
		pinSession(parts.actions, sessionId, !isPinned);
	},
	'sort-sessions'(parts: AppParts) {
		const sort = nextSort(parts.view.getState().sort);
		setView(parts.view, view => ({...view, sort}));
		notify(parts.actions, 'info', `Sessions sorted ${sortTitles[sort]}`);
	},
	archive(parts: AppParts) {
		const {sessionId} = targets(parts.view.getState());
		const known = parts.stores.fleet.getState().sessions.get(sessionId ?? '');
		if (!known) return;
		if (isArchived(known)) {
			restoreSession(parts.actions, known.id);
			return;
		}
		const name = listsNow(parts).all.sessionsById.get(known.id)?.name ?? known.id;
		setView(parts.view, view =>
			pushDialog(view, {
				kind: 'confirm',
				title: `Archive ${name}?`,
				text: `The service can't unarchive it. It is removed from the lists; ${parts.keys.label('show-archived')} shows archived sessions, and ${parts.keys.label('undo')} brings it back on this machine.`,
				intent: {name: 'archive-session', id: known.id},
			}),
		);
	},
	'show-archived'(parts: AppParts) {
		setView(parts.view, view => ({...view, showsArchived: !view.showsArchived}));
	},
};

/** Archives after confirmation. The open session leaves the screen once the service has agreed. */
export async function archiveConfirmed(parts: AppParts, sessionId: string): Promise<void> {
	const result = await archiveSession(parts.actions, sessionId);
	if (!result.isDone) return;
	parts.undos.push(result.value);
	if (!parts.view.getState().showsArchived) setView(parts.view, view => withoutShown(view, sessionId));
}
