import {copyText} from '../../actions/copy-text.ts';
import {notify} from '../../actions/notify.ts';
import {indexFrom, type LogEntry} from '../../state/event-log.ts';
import {setView, type View, type ViewStore, withEvents} from '../../state/view/view.ts';
import {openSession} from '../open-session.ts';
import type {AppParts, Parts} from '../use-app.ts';
import {strings} from './strings.ts';

/** Intents of the events view. */
export const eventIntents = {
	'open-event-session'(parts: AppParts) {
		const id = selectedSession(parts);
		if (id === undefined) return;
		if (parts.stores.fleet.getState().sessions.has(id)) openSession(parts, id, 'main');
		else notify(parts.actions, 'info', strings.unknownSession);
	},
	'filter-events': (parts: AppParts) => setView(parts.view, view => ({...view, isFiltering: true})),
	'event-session-only'(parts: AppParts) {
		const {sessionId: filtered, ...rest} = parts.view.getState().events;
		if (filtered !== undefined) {
			setView(parts.view, view => ({...view, events: rest}));
			return;
		}
		const sessionId = selectedSession(parts);
		if (sessionId !== undefined) setView(parts.view, view => withEvents(view, {sessionId}));
	},
	'acknowledge-incidents': (parts: AppParts) => parts.actions.engine.storage.acknowledgeIncidents(),
	'copy-event'(parts: AppParts) {
		const entry = selectedEvent(parts, parts.view.getState());
		if (entry)
			void copyText(parts.actions, JSON.stringify(entry.event, undefined, '\t'), strings.copiedEvent);
	},
};

/** The session of the selected event; notifies the user when it names none. */
function selectedSession(parts: AppParts): string | undefined {
	const id = selectedEvent(parts, parts.view.getState())?.event.data.session_id;
	if (id === undefined || id === '') {
		notify(parts.actions, 'info', strings.noSession);
		return undefined;
	}
	return id;
}

/** Goes back one step: to the log, then clears the filters, then returns to Work. */
export function leaveEvents(view: ViewStore): void {
	setView(view, now => {
		if (now.events.pane !== 'log') return withEvents(now, {pane: 'log'});
		const {words, sessionId, ...rest} = now.events;
		const isFiltered = words !== '' || sessionId !== undefined;
		return isFiltered ? {...now, events: {...rest, words: ''}} : {...now, page: 'work'};
	});
}

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
