import {acknowledge, clearAttentionMark, snooze} from '../actions/acknowledge-and-snooze.ts';
import {snoozes} from '../domain/sessions/attention.ts';
import {placeOf} from '../state/cursor.ts';
import {popDialog, pushDialog, withTop} from '../state/dialogs.ts';
import {inboxItems} from '../state/inbox.ts';
import type {Lists} from '../state/lists.ts';
import type {SessionItem} from '../state/session-items.ts';
import type {View} from '../state/view.ts';
import {targets} from './contexts.ts';
import {openSession} from './open-session.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** Actions on a session that needs the user, and on the list of all such sessions. */
export const attentionIntents = {
	acknowledge(parts: AppParts, lists: Lists) {
		const item = target(parts, lists);
		if (item?.mark?.kind === 'acknowledged') parts.undos.push(clearAttentionMark(parts.actions, item.id));
		else if (item?.episode !== undefined) {
			goOn(parts, lists, item.id);
			parts.undos.push(acknowledge(parts.actions, {sessionId: item.id, episode: item.episode}));
		}
	},
	snooze(parts: AppParts, lists: Lists) {
		const item = target(parts, lists);
		if (item?.mark?.kind === 'snoozed') parts.undos.push(clearAttentionMark(parts.actions, item.id));
		else if (item?.episode !== undefined) {
			const {id, episode} = item;
			setView(parts.view, view => pushDialog(view, {kind: 'snooze', sessionId: id, episode, index: 0}));
		}
	},
	'snooze-chosen'(parts: AppParts, lists: Lists) {
		const dialog = parts.view.getState().dialogs.at(-1);
		if (dialog?.kind === 'snooze') snoozeFor(parts, lists, dialog.index);
	},
	inbox(parts: AppParts, lists: Lists) {
		const id = inboxItems(lists.all.sessions)[0]?.id;
		setView(parts.view, view => pushDialog(view, {kind: 'inbox', ...(id !== undefined && {id})}));
	},
	'inbox-open'(parts: AppParts, lists: Lists) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId === undefined) return;
		setView(parts.view, popDialog);
		openSession(parts, sessionId, 'main');
		const section = lists.places.sessions.get(sessionId)?.section ?? 'needs';
		setView(parts.view, view => ({...view, cursor: {section, id: sessionId}}));
	},
};

/** Snoozes the subject of the open question for the duration at `index`. */
export function snoozeFor(parts: AppParts, lists: Lists, index: number): void {
	const dialog = parts.view.getState().dialogs.at(-1);
	const length = snoozes[index]?.name;
	if (dialog?.kind !== 'snooze' || length === undefined) return;
	setView(parts.view, popDialog);
	goOn(parts, lists, dialog.sessionId);
	parts.undos.push(snooze(parts.actions, dialog, length));
}

function target({view}: AppParts, lists: Lists): SessionItem | undefined {
	return lists.all.sessionsById.get(targets(view.getState()).sessionId ?? '');
}

/**
 * Moves the cursor to the next session that needs the user before this one leaves the list, so that one key
 * handles them all.
 */
function goOn(parts: AppParts, lists: Lists, id: string): void {
	setView(parts.view, view => {
		const dialog = view.dialogs.at(-1);
		if (dialog?.kind === 'inbox') {
			const waiting = inboxItems(lists.all.sessions).filter(item => !item.mark);
			const next = beside(
				waiting,
				waiting.findIndex(item => item.id === id),
			);
			return next === undefined ? view : withTop(view, {...dialog, id: next});
		}
		return dialog || view.focus !== 'lists' ? view : nextInNeeds(view, lists, id);
	});
}

function nextInNeeds(view: View, lists: Lists, id: string): View {
	const place = placeOf(lists, view.cursor);
	if (place?.section !== 'needs' || view.cursor?.id !== id) return view;
	const next = beside(lists.needs, place.index);
	return next === undefined ? view : {...view, cursor: {section: 'needs', id: next}};
}

/** The row after `index`, or the one before it at the end. */
function beside(rows: readonly {readonly id: string}[], index: number): string | undefined {
	return index < 0 ? undefined : (rows[index + 1] ?? rows[index - 1])?.id;
}
