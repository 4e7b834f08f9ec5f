import type {Subject} from '../../domain/sessions/attention.ts';
import type {Stream, Streams} from '../stream.ts';
import {isOnComputer} from './cursor.ts';
import {newSessionDraft} from './dialogs.ts';
import {streamsOf} from './shown-item.ts';
import {isInLists, replyingTo, tableMessage, type View} from './view.ts';
import {viewInfo} from './view-states.ts';

/** The session or computer that keys act on, or neither. */
export type Targets = {readonly sessionId?: string; readonly computerId?: string};

/** The targets of keys: the session or computer at the cursor in the lists, else the one shown. */
export function targets(view: View): Targets {
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'inbox') {
		return targetsOf(dialog.isComputer ? 'computer' : 'session', dialog.id);
	}
	if (dialog?.kind === 'new-session') return {sessionId: newSessionDraft};
	if (dialog?.kind === 'diff' && dialog.writing !== undefined) return {sessionId: dialog.writing};
	const written = tableMessage(view);
	if (written) return {sessionId: written.composerId};
	const {rows} = viewInfo(view.page);
	if (rows) return targetsOf(rows, view.tableCursors[view.page]);
	if (view.page !== 'work') return {};
	const {focus, cursor, shown} = view;
	const replyTo = replyingTo(view);
	if (replyTo !== undefined) return {sessionId: replyTo};
	if (focus !== 'lists') return shown ? targetsOf(shown.kind, shown.id) : {};
	return cursor ? targetsOf(isOnComputer(cursor) ? 'computer' : 'session', cursor.id) : {};
}

function targetsOf(kind: Subject['kind'], id: string | undefined): Targets {
	if (id === undefined) return {};
	return kind === 'computer' ? {computerId: id} : {sessionId: id};
}

/**
 * The session to preview in the main area: the one at the cursor while the lists have the focus, unless its
 * stream is on the screen anyway.
 */
export function previewTarget(view: View): string | undefined {
	const {sessionId} = isInLists(view) ? targets({...view, dialogs: []}) : {};
	return sessionId === undefined || streamsOf(view).includes(sessionId) ? undefined : sessionId;
}

/** The preview on the screen. Right after a move of the cursor, it is still the last one. */
export function shownPreview(view: View, {preview}: Streams): Stream | undefined {
	return previewTarget(view) === undefined ? undefined : preview;
}
