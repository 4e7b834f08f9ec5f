import type {Lists} from '../../state/lists/lists.ts';
import {runsOutside} from '../../state/sessions/session-items.ts';
import {withOpened} from '../../state/view/shown-item.ts';
import {targets} from '../../state/view/targets.ts';
import {isInLists, setView, type View} from '../../state/view/view.ts';
import {screenLayout, streamsOnScreen} from '../layout-now.ts';
import {openSession, prepareComposer} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';

/** Opens a small composer for the session at the cursor without changing the open one. */
export function quickReply(parts: AppParts, lists: Lists): void {
	const view = parts.view.getState();
	const {sessionId} = targets(view);
	if (sessionId === undefined) return;
	const stream = parts.stores.streams.getState().open.get(sessionId);
	const isOutside = runsOutside(lists.all.sessionsById.get(sessionId), stream);
	// It is already on the screen with its own composer.
	if (!isOutside && streamsOnScreen(parts).includes(sessionId) && !replacesLists(parts, lists, sessionId)) {
		setView(parts.view, now => ({...now, dialogs: []}));
		openSession(parts, sessionId, 'composer');
		return;
	}
	prepareComposer(parts, sessionId);
	setView(parts.view, now => ({...now, page: 'work', dialogs: [], focus: 'composer', replyTo: sessionId}));
}

/** Whether the lists, where the user is, would leave the screen for the session's own composer. */
function replacesLists(parts: AppParts, lists: Lists, id: string): boolean {
	const view = parts.view.getState();
	if (!isInLists(view)) return false;
	return !screenLayout(parts, withOpened(view, {kind: 'session', id}, 'composer'), lists).sessions;
}

/** Returns to the lists, where the reply started; keeps its draft. */
export function withoutReply({replyTo: _, ...view}: View): View {
	return {...view, focus: 'lists'};
}
