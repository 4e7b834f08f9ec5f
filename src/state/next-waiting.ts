import {placeOf} from './cursor.ts';
import {withTop} from './dialogs.ts';
import {inboxItems} from './inbox.ts';
import type {Lists} from './lists.ts';
import type {View} from './view.ts';

/**
 * Moves the cursor from session `id` to the next one that needs the user, before it leaves the inbox or the
 * list, so that one key handles them all.
 */
export function withNextWaiting(view: View, lists: Lists, id: string): View {
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'inbox') {
		const waiting = inboxItems(lists.all.sessions).filter(item => !item.mark);
		const index = waiting.findIndex(item => item.id === id);
		const next = beside(waiting, index);
		return next === undefined ? view : withTop(view, {...dialog, id: next});
	}
	if (dialog || view.focus !== 'lists' || view.cursor?.id !== id) return view;
	const place = placeOf(lists, view.cursor);
	const next = place?.section === 'needs' ? beside(lists.needs, place.index) : undefined;
	return next === undefined ? view : {...view, cursor: {section: 'needs', id: next}};
}

/** The row after `index`, or the one before it at the end. */
function beside(rows: readonly {readonly id: string}[], index: number): string | undefined {
	return index < 0 ? undefined : (rows[index + 1] ?? rows[index - 1])?.id;
}
