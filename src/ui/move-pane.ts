import {at, type Cursor} from '../state/cursor.ts';
import type {Lists} from '../state/lists.ts';
import {type Section, sections} from '../state/row-places.ts';
import {withCursor} from '../state/shown-item.ts';
import type {Focus, View} from '../state/view.ts';
import {prepareComposer} from './open-session.ts';
import {setView} from './set-view.ts';
import {isOutside} from './stream/is-outside.ts';
import type {AppParts} from './use-app.ts';

type Stop = Section | Exclude<Focus, 'lists'>;

/**
 * Moves the focus to the next pane, wrapping around. In a list, the cursor goes to the open item or else the
 * first row.
 */
export function movePane(parts: AppParts, lists: Lists, by: 1 | -1): void {
	setView(parts.view, ({replyTo: _, ...view}) => {
		const stops = stopsOf(parts, view, lists);
		const now: Stop = view.focus === 'lists' ? (view.cursor?.section ?? 'sessions') : view.focus;
		const next = stops[(stops.indexOf(now) + by + stops.length) % stops.length] ?? 'sessions';
		if (next === 'main' || next === 'composer') {
			if (next === 'composer' && view.shown) prepareComposer(parts, view.shown.id);
			return {...view, focus: next};
		}
		return {...withCursor(view, cursorIn(view, lists, next)), focus: 'lists'};
	});
}

function stopsOf({stores}: AppParts, view: View, lists: Lists): Stop[] {
	const filled = sections.filter(section => section !== 'needs' || lists.needs.length > 0);
	const {shown} = view;
	if (!shown) return filled;
	const item = lists.all.sessionsById.get(shown.id);
	const canWrite = shown.kind === 'session' && !isOutside(item, stores.streams.getState().open.get(shown.id));
	return canWrite ? [...filled, 'main', 'composer'] : [...filled, 'main'];
}

/** A cursor on the row of the open item, or on the first row if the list doesn't contain it. */
function cursorIn(view: View, lists: Lists, section: Section): Cursor {
	const rows: readonly {readonly id: string}[] = lists[section];
	const index = rows.findIndex(item => item.id === view.shown?.id);
	return at(lists, section, Math.max(0, index));
}
