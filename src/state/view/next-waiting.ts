import {type Subject, subjectKey} from '../../domain/sessions/attention.ts';
import {inboxItems, type Lists} from '../lists/lists.ts';
import {cursorOn, positionOf} from './cursor.ts';
import {inboxOn, withTop} from './dialogs.ts';
import {withCursor} from './shown-item.ts';
import type {View} from './view.ts';

/**
 * Moves the cursor from a session or computer to the next one that needs the user, before it leaves the inbox
 * or the list, so that one key handles them all.
 */
export function withNextWaiting(view: View, lists: Lists, subject: Subject): View {
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'inbox') {
		const waiting = inboxItems(lists.all).filter(item => !item.mark);
		const index = waiting.findIndex(item => subjectKey(item) === subjectKey(subject));
		const next = beside(waiting, index);
		return next === undefined ? view : withTop(view, inboxOn(next));
	}
	if (dialog || view.focus !== 'lists' || view.cursor?.id !== subject.id) return view;
	const position = positionOf(lists, view.cursor);
	const next = position?.section === 'needs' ? beside(lists.needs, position.index) : undefined;
	return next === undefined ? view : withCursor(view, cursorOn('needs', next));
}

/** The row after `index`, or the one before it at the end. */
function beside<Row>(rows: readonly Row[], index: number): Row | undefined {
	return index < 0 ? undefined : (rows[index + 1] ?? rows[index - 1]);
}
