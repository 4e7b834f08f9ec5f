import {useEffect} from 'react';
import type {Lists} from '../../state/lists.ts';
import type {View} from '../../state/view.ts';
import type {Layout} from '../layout.ts';
import {useDivider} from '../mouse/use-divider.ts';
import {useApp} from '../use-app.ts';
import {DiagnosticsPane} from './diagnostics-pane.tsx';
import {EventLogPane} from './event-log-pane.tsx';
import {EventPane} from './event-pane.tsx';
import {eventsLayout} from './events-layout.ts';
import {useMatches} from './use-matches.ts';

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
