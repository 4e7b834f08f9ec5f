import {restoreCursor} from '../../state/view/cursor.ts';
import {setView} from '../../state/view/view.ts';
import {type ListParts, listsNow} from '../use-lists.ts';

/**
 * Collapses or expands a group of the sessions pane and moves the cursor there: to the heading, or to the
 * first session.
 */
export function collapseGroup(parts: ListParts, key: string, isCollapsed: boolean): void {
	setView(parts.view, ({replyTo: _, ...view}) => {
		const collapsed = new Set(view.collapsed);
		if (isCollapsed) collapsed.add(key);
		else collapsed.delete(key);
		return {...view, collapsed, focus: 'lists'};
	});
	const lists = listsNow(parts);
	const cursor = restoreCursor(undefined, lists, {section: 'sessions', group: key});
	if (cursor) setView(parts.view, view => ({...view, cursor}));
}
