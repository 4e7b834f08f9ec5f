import {isOnComputer} from './cursor.ts';
import {newSessionDraft} from './dialogs.ts';
import {replyingTo, type View} from './view.ts';

/** The session or computer that keys act on, or neither. */
export type Targets = {readonly sessionId?: string; readonly computerId?: string};

/** The targets of keys: the session or computer at the cursor in the lists, else the one shown. */
export function targets(view: View): Targets {
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'inbox') {
		const {id, isComputer} = dialog;
		if (id === undefined) return {};
		return isComputer ? {computerId: id} : {sessionId: id};
	}
	if (dialog?.kind === 'new-session') return {sessionId: newSessionDraft};
	if (view.page === 'sessions') {
		const {cursor, writing} = view.sessions;
		if (writing) return {sessionId: writing.composerId};
		return cursor === undefined ? {} : {sessionId: cursor};
	}
	if (view.page === 'computers') {
		const {cursor} = view.computers;
		return cursor === undefined ? {} : {computerId: cursor};
	}
	if (view.page !== 'work') return {};
	const replyTo = replyingTo(view);
	if (replyTo !== undefined) return {sessionId: replyTo};
	if (view.focus === 'lists') {
		const {cursor} = view;
		if (cursor?.id === undefined) return {};
		return isOnComputer(cursor) ? {computerId: cursor.id} : {sessionId: cursor.id};
	}
	if (!view.shown) return {};
	return view.shown.kind === 'computer' ? {computerId: view.shown.id} : {sessionId: view.shown.id};
}
