import {archiveSession} from '../../actions/sessions.ts';
import {archiveSessions} from '../../actions/several-sessions.ts';
import {unmarked} from '../../state/sessions/marked-sessions.ts';
import {isTurnRunning, type SessionItem} from '../../state/sessions/session-items.ts';
import {withoutShown} from '../../state/view/shown-item.ts';
import {askToConfirm, isTypingIn, setView, type ViewStore} from '../../state/view/view.ts';
import {offerUndo} from '../offer-undo.ts';
import {strings} from '../strings.ts';
import type {AppParts, Parts} from '../use-app.ts';

/** Asks before a session is archived. It leaves the screen once the service has agreed. */
export function askToArchive(parts: AppParts, session: SessionItem): void {
	const yes = async () => {
		const archived = await archiveSession(parts.actions, session.id);
		if (archived.isDone) leaveArchived(parts, [session.id], archived.value);
	};
	askToConfirm(parts.view, {...question(parts, [session]), yes: () => void yes()});
}

/** Asks before sessions are archived, and says what else was marked. Those that the service refuses stay marked. */
export function askToArchiveSeveral(
	parts: AppParts,
	sessions: readonly SessionItem[],
	others: {readonly leftOut: readonly string[]; readonly archived: number},
): void {
	const yes = async () => {
		const {done, undo} = await archiveSessions(parts.actions, sessions);
		leaveArchived(parts, done, undo);
		setView(parts.view, view => unmarked(view, done));
	};
	askToConfirm(parts.view, {...question(parts, sessions, others), yes: () => void yes()});
}

/** `leftOut`: names of those that can't be archived; `archived`: how many already are. */
function question(
	{keys}: Parts<'keys'>,
	sessions: readonly SessionItem[],
	{leftOut = [], archived = 0}: {readonly leftOut?: readonly string[]; readonly archived?: number} = {},
) {
	const names = sessions.map(({name}) => name);
	// A session that waits for its computer has no agent yet.
	const running = sessions.filter(item => isTurnRunning(item) && item.state !== 'pending').length;
	const show = keys.label('show-archived');
	const undo = keys.label('undo');
	return {
		title: strings.archive.title(names),
		text: strings.archive.text({names, running, leftOut, archived, show, undo}),
	};
}

function leaveArchived(parts: AppParts, ids: readonly string[], undo: () => void): void {
	offerUndo(parts, {action: 'archive', subjects: ids.map(id => ({kind: 'session', id}))}, undo);
	closeArchived(parts.view, ids);
}

/** Removes archived sessions from the screen, except one that the user is writing to by now. */
function closeArchived(views: ViewStore, sessionIds: readonly string[]): void {
	const view = views.getState();
	if (view.showsArchived) return;
	const closed = sessionIds.filter(id => !isTypingIn(view, id));
	setView(views, now => closed.reduce(withoutShown, now));
}
