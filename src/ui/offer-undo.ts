import {clearAttentionMark} from '../actions/acknowledge-and-snooze.ts';
import type {Subject} from '../domain/sessions/attention.ts';
import {withSelected} from '../state/view/shown-item.ts';
import {setView} from '../state/view/view.ts';
import {strings} from './strings.ts';
import type {Parts} from './use-app.ts';
import {type ListParts, listsNow} from './use-lists.ts';

/** An action that the undo key undoes. Of several sessions, the first gets the cursor. */
type Undoable = {readonly action: keyof typeof strings.undone; readonly subjects: readonly Subject[]};

/** Lets the undo key undo an action on sessions or a computer, say so, and put the cursor back on them. */
export function offerUndo(
	parts: ListParts & Parts<'undos'>,
	{action, subjects}: Undoable,
	undo: () => void,
): void {
	const [first] = subjects;
	if (!first) return;
	parts.undos.push(() => {
		undo();
		setView(parts.view, view => withSelected(view, first));
		const what = subjects.length === 1 ? nameOf(parts, first) : strings.sessions(subjects.length);
		return strings.undone[action](what);
	});
}

function nameOf(parts: ListParts, {kind, id}: Subject): string {
	const {sessionsById, computers} = listsNow(parts).all;
	const item = kind === 'session' ? sessionsById.get(id) : computers.find(one => one.id === id);
	return item?.name ?? id;
}

/** Returns an acknowledged or snoozed item to Needs you, and lets the undo key revert that. */
export function returnToNeeds(parts: ListParts & Parts<'undos' | 'actions'>, subject: Subject): void {
	offerUndo(parts, {action: 'return', subjects: [subject]}, clearAttentionMark(parts.actions, subject));
}
