import type {Lists} from '../../state/lists/lists.ts';
import {type Section, sections} from '../../state/lists/row-positions.ts';
import type {Stores} from '../../state/stores.ts';
import {type Cursor, cursorAt, positionOf} from '../../state/view/cursor.ts';
import {withCursor} from '../../state/view/shown-item.ts';
import {type Focus, setView, type View} from '../../state/view/view.ts';
import {hasComposer} from '../layout-now.ts';
import {prepareComposer} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';

type Stop = Section | Exclude<Focus, 'lists'>;

/** Moves the focus to the next pane, wrapping around. */
export function movePane(parts: AppParts, lists: Lists, by: 1 | -1): void {
	setView(parts.view, ({replyTo: _, ...view}) => {
		const stops = stopsOf(parts.stores, view, lists);
		const now: Stop = view.focus === 'lists' ? (view.cursor?.section ?? 'sessions') : view.focus;
		const next = stops[(stops.indexOf(now) + by + stops.length) % stops.length] ?? 'sessions';
		if (next === 'main' || next === 'composer') {
			if (next === 'composer' && view.shown) prepareComposer(parts, view.shown.id);
			return {...view, focus: next};
		}
		return {...withCursor(view, cursorIn(view, lists, next)), focus: 'lists'};
	});
}

function stopsOf(stores: Stores, view: View, lists: Lists): Stop[] {
	const filled = sections.filter(section => section !== 'needs' || lists.needs.length > 0);
	if (!view.shown) return filled;
	return hasComposer(stores, view, lists) ? [...filled, 'main', 'composer'] : [...filled, 'main'];
}

/** A cursor on the row of the open item, or on the first row if the list doesn't contain it. */
function cursorIn(view: View, lists: Lists, section: Section): Cursor {
	const position = view.shown && positionOf(lists, {section, id: view.shown.id});
	return cursorAt(lists, section, position?.section === section ? position.index : 0);
}
