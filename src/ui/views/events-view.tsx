import {useEffect, useMemo, useRef} from 'react';
import {useStore} from 'zustand';
import {type LogEntry, type Matches, matchLog} from '../../state/event-log.ts';
import type {Lists} from '../../state/lists.ts';
import type {View} from '../../state/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import type {Layout, Rect} from '../layout.ts';
import {useDivider} from '../mouse/use-divider.ts';
import {useApp} from '../use-app.ts';
import {DiagnosticsPane} from './diagnostics-pane.tsx';
import {eventDetailLines} from './event-detail.ts';
import {eventIndex} from './event-intents.ts';
import {EventLogPane} from './event-log-pane.tsx';
import {eventName} from './event-row.ts';
import {eventsLayout} from './events-layout.ts';
import {EventsSidePane} from './events-side-pane.tsx';

type Props = {readonly layout: Layout; readonly lists: Lists; readonly view: View};

/** The log of hook events, the selected event, and diagnostics of the connection and the disk. */
export function EventsView({layout, lists, view}: Props) {
	const parts = useApp();
	const {engine} = parts.actions;
	useEffect(() => engine.watchEvents(), [engine]);
	const matches = useMatches(view);
	const {pane, side} = view.events;
	const wanted = {pane, side, hasEvent: matches.length > 0};
	const {log, event, diagnostics} = eventsLayout(layout, wanted, view.shares.events, view.heights.events);
	// Each side pane that is drawn sets its own size again.
	parts.sizes.eventSides = {};
	const isDivided = log.height > 0 && (event ?? diagnostics) !== undefined;
	useDivider('events', layout, isDivided ? log : undefined);
	return (
		<>
			<EventLogPane rect={log} view={view} entries={matches} />
			{event && <EventPane rect={event} view={view} entries={matches} />}
			{diagnostics && <DiagnosticsPane rect={diagnostics} lists={lists} view={view} />}
		</>
	);
}

/** The events that match the filter. Only events added since the last frame are matched again. */
function useMatches({events}: View): readonly LogEntry[] {
	const {stores} = useApp();
	const entries = useStore(stores.events, log => log.entries);
	const {words, sessionId} = events;
	const filter = useMemo(() => ({words, ...(sessionId !== undefined && {sessionId})}), [words, sessionId]);
	const before = useRef<Matches>(undefined);
	before.current = matchLog(entries, filter, before.current);
	return before.current.entries;
}

type EventPaneProps = {readonly rect: Rect; readonly view: View; readonly entries: readonly LogEntry[]};

/** The selected event, with all its fields. */
function EventPane({rect, view, entries}: EventPaneProps) {
	const entry = entries[eventIndex(entries, view.events.cursor)];
	return (
		<EventsSidePane
			side="event"
			rect={rect}
			view={view}
			title={entry ? cleanLine(eventName(entry.event), 60) : safe`Event`}
			lines={entry ? eventDetailLines(entry.event, rect.width - 5) : []}
		/>
	);
}
