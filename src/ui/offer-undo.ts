import {clearAttentionMark} from '../actions/acknowledge-and-snooze.ts';
import {notify} from '../actions/notify.ts';
import type {Subject} from '../domain/sessions/attention.ts';
import {withSelected} from '../state/view/shown-item.ts';
import {setView} from '../state/view/view.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';
import {type ListParts, listsNow} from './use-lists.ts';

/** An action that the undo key undoes. Of several sessions, the first gets the cursor. */
type Undoable = {
	readonly action: keyof typeof strings.undone;
	readonly subjects: readonly Subject[];
	/** What was changed in them, such as `+urgent`. */
	readonly change?: string;
};

/**
 * Lets the undo key undo an action on sessions or a computer, say so, and put the cursor back on them. An `undo` that
 * fails at the service returns false, and can be tried again.
 */
export function offerUndo(
	parts: ListParts & AppParts,
	{action, subjects, change}: Undoable,
	undo: (() => void) | (() => Promise<boolean>),
): void {
	const [first] = subjects;
	if (!first) return;
	const run = () => {
		const pending = undo();
		setView(parts.view, view => withSelected(view, first));
		const what = subjects.length === 1 ? nameOf(parts, first) : `${subjects.length} sessions`;
		const undone = strings.undone[action](what);
		const report = () =>
			notify(parts.actions, 'good', change === undefined ? undone : `${undone}: ${change}`);
		if (pending) void pending.then(isDone => (isDone ? report() : parts.undos.push(run)));
		else report();
	};
	parts.undos.push(run);
}

function nameOf(parts: ListParts, {kind, id}: Subject): string {
	const {sessionsById, computers} = listsNow(parts).all;
	const item = kind === 'session' ? sessionsById.get(id) : computers.find(one => one.id === id);
	return item?.name ?? id;
}

/** Returns an acknowledged or snoozed item to Needs you, and lets the undo key revert that. */
export function returnToNeeds(parts: ListParts & AppParts, subject: Subject): void {
	offerUndo(parts, {action: 'return', subjects: [subject]}, clearAttentionMark(parts.actions, subject));
}
