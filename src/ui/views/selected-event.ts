import {indexFrom, type LogEntry} from '../../state/event-log.ts';
import type {View} from '../../state/view.ts';
import type {AppParts} from '../use-app.ts';

/**
 * Index of the cursor's entry among those shown: the last one while it follows new events, -1 when there are
 * none.
 */
export function eventIndex(entries: readonly LogEntry[], cursor: number | undefined): number {
	return cursor === undefined ? entries.length - 1 : Math.min(indexFrom(entries, cursor), entries.length - 1);
}

/** The event the keys act on, as of the last frame. */
export function selectedEvent({sizes}: Pick<AppParts, 'sizes'>, view: View): LogEntry | undefined {
	if (view.page !== 'events' || !sizes.events) return undefined;
	const {entries} = sizes.events;
	return entries[eventIndex(entries, view.events.cursor)];
}
