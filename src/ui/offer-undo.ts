import type {Subject} from '../domain/sessions/attention.ts';
import {withSelected} from '../state/shown-item.ts';
import {setView} from '../state/view.ts';
import type {Parts} from './use-app.ts';

/** Lets the undo key undo an action on a session or computer, and put the cursor back on it. */
export function offerUndo(
	parts: Parts<'undos' | 'view'>,
	subject: Subject | undefined,
	undo: () => void,
): void {
	parts.undos.push(() => {
		undo();
		if (subject) setView(parts.view, view => withSelected(view, subject));
	});
}
