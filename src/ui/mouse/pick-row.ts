import type {Subject} from '../../domain/sessions/attention.ts';
import type {Lists} from '../../state/lists/lists.ts';
import type {Section} from '../../state/lists/row-positions.ts';
import {cursorAt, cursorOn} from '../../state/view/cursor.ts';
import {withCursor} from '../../state/view/shown-item.ts';
import {setView} from '../../state/view/view.ts';
import type {AppParts} from '../use-app.ts';

/** Moves the cursor and focus to a list row; a double press opens it. */
export function pickRow(
	parts: AppParts,
	lists: Lists,
	section: Section,
	{item, isDouble}: {readonly item: Subject | undefined; readonly isDouble: boolean},
): void {
	setView(parts.view, ({replyTo: _, ...view}) => {
		const isInSection = view.cursor?.section === section;
		const current = isInSection ? view.cursor : cursorAt(lists, section, 0);
		const cursor = item === undefined ? current : cursorOn(section, item);
		return {...withCursor(view, cursor), focus: 'lists'};
	});
	if (isDouble && item !== undefined) parts.input.run(parts, 'open');
}
