import {at} from '../../state/cursor.ts';
import type {Lists} from '../../state/lists.ts';
import type {Section} from '../../state/row-places.ts';
import {withCursor} from '../../state/shown-item.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';

/**
 * Moves the cursor and focus to a list row; a double press opens it. A press outside the rows only focuses
 * the list.
 */
export function pickRow(
	parts: AppParts,
	lists: Lists,
	section: Section,
	{id, isDouble}: {readonly id: string | undefined; readonly isDouble: boolean},
): void {
	setView(parts.view, ({replyTo: _, ...view}) => {
		const isInSection = view.cursor?.section === section;
		const current = isInSection ? view.cursor : at(lists, section, 0);
		const cursor = id === undefined ? current : {section, id};
		return {...withCursor(view, cursor), focus: 'lists'};
	});
	if (isDouble && id !== undefined) parts.input.run(parts, 'open');
}
