import {indexFrom, type LogEntry} from '../../state/event-log.ts';
import {filterOf, type View} from '../../state/view/view.ts';
import type {Parts} from '../use-app.ts';

/**
 * Index of the cursor's entry among those shown: the last one while it follows new events, -1 when there are
 * none.
 */
export function eventIndex(entries: readonly LogEntry[], cursor: number | undefined): number {
	return cursor === undefined ? entries.length - 1 : Math.min(indexFrom(entries, cursor), entries.length - 1);
}

/** The events that pass the filter. */
export function shownEvents({caches, stores}: Parts<'caches' | 'stores'>, view: View): readonly LogEntry[] {
	const {sessionId} = view.events;
	return caches.events(stores.events.getState().entries, {words: filterOf(view, 'events'), sessionId});
}

/** The event that keys act on. */
export function selectedEvent(parts: Parts<'caches' | 'stores'>, view: View): LogEntry | undefined {
	const entries = shownEvents(parts, view);
	return entries[eventIndex(entries, view.events.cursor)];
}
