import {useEffect} from 'react';
import {useStore} from 'zustand';
import {setView, type View, withEvents, withFilter, withoutFilter} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import {Tiling} from '../kit/tiling.ts';
import {useDivider} from '../mouse/use-divider.ts';
import type {PageProps, ScreenPage} from '../screen-page.ts';
import {useApp} from '../use-app.ts';
import {eventLines} from './event-lines.ts';
import {EventLogPane} from './event-log-pane.tsx';
import {eventName} from './event-row.ts';
import {beforeEventsDivider, eventsNow} from './events-layout.ts';
import {DiagnosticsPane, EventsSidePane} from './events-side-pane.tsx';
import {nextEventsPane, scrollEvents} from './scroll-events.ts';

/** The log of hook events, the selected event, and diagnostics of the connection and the disk. */
function EventsView({layout, lists, view}: PageProps) {
	const parts = useApp();
	const {engine} = parts.actions;
	useEffect(() => engine.storage.reportSizes(), [engine]);
	useEffect(() => engine.hooks.feed.watch(), [engine]);
	// Off screen the log is empty; drop the cached matches too.
	useEffect(() => () => void parts.caches.events([], '', undefined), [parts]);
	useStore(parts.stores.events, log => log.entries);
	const now = eventsNow(parts, view, layout);
	const {log, event, diagnostics} = now;
	const entry = now.entries[now.index];
	useDivider('events', layout, beforeEventsDivider(now));
	const {pane} = view.events;
	const tiles = Object.entries({log, event, diagnostics}).flatMap(([name, rect]) =>
		rect ? [{rect, isFocused: pane === name || (name === 'log' && pane === 'event' && !event)}] : [],
	);
	return (
		<Tiling value={tiles}>
			<EventLogPane rect={log} view={view} events={now} />
			{event && (
				<EventsSidePane
					side="event"
					rect={event}
					view={view}
					title={entry ? cleanLine(eventName(entry.event), 60) : safe`Event`}
					lines={eventLines(now, event)}
				/>
			)}
			{diagnostics && <DiagnosticsPane rect={diagnostics} lists={lists} view={view} />}
		</Tiling>
	);
}

export const eventsPage: ScreenPage = {
	Component: EventsView,
	contexts: () => ['events'],
	scroll: scrollEvents,
	back: ({view}) => setView(view, withoutLast),
	nextPane: (parts, _, by) => nextEventsPane(parts, by),
	beforeDivider: (parts, view, _, layout) => beforeEventsDivider(eventsNow(parts, view, layout)),
};

/** Goes back one step: to the log, then clears the filters, then returns to Work. */
function withoutLast(view: View): View {
	const {pane, sessionId} = view.events;
	if (pane !== 'log') return withEvents(view, {pane: 'log'});
	if (sessionId === undefined) return withoutFilter(view);
	return withEvents(withFilter(view, ''), {sessionId: undefined});
}
