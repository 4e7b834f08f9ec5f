import {copyText} from '../../actions/copy-text.ts';
import {notify} from '../../actions/notify.ts';
import {filterOf, setView, withEvents, withFiltering} from '../../state/view/view.ts';
import {bindingsIn, type Enabled, type Now} from '../keys/binding.ts';
import {unlessEmpty} from '../keys/reasons.ts';
import {openSession} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';
import {selectedEvent} from './events-layout.ts';
import {nextEventsPane} from './scroll-events.ts';

const hasEvent = ({parts, view}: Now): Enabled =>
	selectedEvent(parts, view) !== undefined || 'No event is selected';

const isLogEmpty = ({parts, view}: Now): boolean =>
	filterOf(view) === '' && parts.stores.events.getState().entries.length === 0;

export const eventBindings = bindingsIn({contexts: ['events']}, [
	{
		action: 'open-event-session',
		keys: ['enter'],
		title: 'Open the session of the event',
		hint: 'open session',
		isEnabled: hasEvent,
		run(parts) {
			const id = sessionOfEvent(parts);
			if (id === undefined) return;
			if (parts.stores.fleet.getState().sessions.has(id)) openSession(parts, id, 'main');
			else notify(parts.actions, 'info', 'No known session has this id: the event changed nothing');
		},
	},
	{
		action: 'filter',
		keys: ['/'],
		title: 'Filter by client, event, session, folder, words, delivery',
		hint: 'filter',
		...unlessEmpty(isLogEmpty),
		run: parts => setView(parts.view, withFiltering),
	},
	// A small screen has room for the diagnostics only while they have the focus.
	{
		action: 'next-pane',
		keys: ['tab'],
		title: 'Next pane',
		hint: 'next pane',
		isPaletteHidden: true,
		run: parts => nextEventsPane(parts, 1),
	},
	{
		action: 'event-session-only',
		keys: ['f'],
		title: "Show only this session's events, or all",
		hint: 'this session',
		isEnabled: hasEvent,
		run(parts) {
			const {sessionId: filtered, ...rest} = parts.view.getState().events;
			if (filtered !== undefined) {
				setView(parts.view, view => ({...view, events: rest}));
				return;
			}
			const sessionId = sessionOfEvent(parts);
			if (sessionId !== undefined) setView(parts.view, view => withEvents(view, {sessionId}));
		},
	},
	{
		action: 'copy-event',
		keys: ['y'],
		title: 'Copy the event as JSON',
		hint: 'copy',
		isEnabled: hasEvent,
		run(parts) {
			const entry = selectedEvent(parts, parts.view.getState());
			if (entry) void copyText(parts.actions, JSON.stringify(entry.event, undefined, '\t'), 'the event');
		},
	},
	{
		action: 'acknowledge-incidents',
		keys: ['A'],
		title: 'Acknowledge warnings about saved data',
		isEnabled: ({parts}) =>
			(parts.stores.connection.getState().incidents ?? []).length > 0 ||
			'There are no warnings about saved data',
		run: parts => parts.actions.engine.storage.acknowledgeIncidents(),
	},
]);

/** The session of the selected event; notifies the user when it names none. */
function sessionOfEvent(parts: AppParts): string | undefined {
	const id = selectedEvent(parts, parts.view.getState())?.event.data.session_id;
	if (id === undefined || id === '') {
		notify(parts.actions, 'info', 'This event names no session');
		return undefined;
	}
	return id;
}
