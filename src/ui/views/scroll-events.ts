import {type View, withEvents} from '../../state/view.ts';
import type {Move} from '../kit/scroll.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {eventIndex} from './selected-event.ts';

/** Moves through the event log. At its end it follows what comes; near its start it asks for what is older. */
export function scrollEvents(parts: AppParts, {kind, by}: Move): void {
	const {entries, height} = parts.sizes.events ?? {entries: [], height: 1};
	const now = eventIndex(entries, parts.view.getState().events.cursor);
	const step = kind === 'step' ? 1 : kind === 'page' ? Math.max(1, Math.floor(height / 2)) : entries.length;
	moveEventCursor(parts, now + by * step);
}

/** Puts the cursor on an event that is shown, by its index, or on the one nearest to it. */
export function moveEventCursor(parts: AppParts, index: number): void {
	const {entries, height} = parts.sizes.events ?? {entries: [], height: 1};
	const next = Math.max(0, Math.min(entries.length - 1, index));
	const isAtEnd = next === entries.length - 1;
	setView(parts.view, view =>
		isAtEnd ? followingEvents(view) : withEvents(view, cursorAt(entries[next]?.number)),
	);
	if (next < height) parts.actions.engine.loadOlderEvents();
}

function cursorAt(cursor: number | undefined): {cursor?: number} {
	return cursor === undefined ? {} : {cursor};
}

/** The cursor on the newest event, and on those that come. */
function followingEvents(view: View): View {
	const {cursor: _, ...events} = view.events;
	return {...view, events};
}
