import type {LogEntry} from '../../state/event-log.ts';
import type {View} from '../../state/view.ts';
import {cleanLine} from '../../text/clean.ts';
import {safe} from '../../text/safe.ts';
import type {Rect} from '../layout.ts';
import {eventDetailLines} from './event-detail.ts';
import {eventName} from './event-row.ts';
import {EventsSidePane} from './events-side-pane.tsx';
import {eventIndex} from './selected-event.ts';

type Props = {readonly rect: Rect; readonly view: View; readonly entries: readonly LogEntry[]};

/** The selected event, with all its fields. */
export function EventPane({rect, view, entries}: Props) {
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
