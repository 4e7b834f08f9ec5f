import {indexFrom, type LogEntry} from '../../state/event-log.ts';
import type {View} from '../../state/view/view.ts';
import type {Parts} from '../use-app.ts';

/**
 * Index of the cursor's entry among those shown: the last one while it follows new events, -1 when there are
 * none.
 */
export function eventIndex(entries: readonly LogEntry[], cursor: number | undefined): number {
	return cursor === undefined ? entries.length - 1 : Math.min(indexFrom(entries, cursor), entries.length - 1);
}

/** The event that keys act on. */
export function selectedEvent(
	{caches, stores}: Parts<'caches' | 'stores'>,
	view: View,
): LogEntry | undefined {
	if (view.page !== 'events') return undefined;
	const entries = caches.events(stores.events.getState().entries, view.events);
	return entries[eventIndex(entries, view.events.cursor)];
}
