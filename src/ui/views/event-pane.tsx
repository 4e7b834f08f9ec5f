import type {LogEntry} from '../../state/event-log.ts';
import type {View} from '../../state/view.ts';
import {cleanLine} from '../../text/clean.ts';
import {span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {Pane} from '../kit/pane.tsx';
import type {Rect} from '../layout.ts';
import {useApp} from '../use-app.ts';
import {eventDetailLines} from './event-detail.ts';
import {eventName} from './event-row.ts';
import {eventIndex} from './selected-event.ts';

type Props = {readonly rect: Rect; readonly view: View; readonly entries: readonly LogEntry[]};

/** The event the cursor is on, every field of it. */
export function EventPane({rect, view, entries}: Props) {
	const {keys} = useApp();
	const entry = entries[eventIndex(entries, view.events.cursor)];
	const lines = entry ? eventDetailLines(entry.event, rect.width - 5) : [];
	const below = lines.length - (rect.height - 2);
	return (
		<Pane
			rect={rect}
			title={[span(entry ? cleanLine(eventName(entry.event), 60) : safe`Event`, 'strong')]}
			{...(below > 0 && {
				bottom: [span(safe`${below} more · ${keys.label('copy-event')} copies it whole`, 'dim')],
			})}
			body={lines.map(line => ({line: [span(safe`  `), ...line]}))}
		/>
	);
}
