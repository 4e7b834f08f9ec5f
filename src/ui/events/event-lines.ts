import {type HookEvent, hookKind} from '../../domain/sessions/signal.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {dateTime} from '../../text/values/times.ts';
import type {Rect} from '../layout.ts';
import {clientName, eventName, inBackground, latency} from './event-row.ts';
import type {EventsNow} from './events-layout.ts';
import {effects, strings} from './strings.ts';

const text = strings.event;

/** The lines of the selected event, in a pane at `rect`. */
export function eventLines({entries, index}: EventsNow, rect: Rect): readonly Line[] {
	const entry = entries[index];
	return entry ? linesOf(entry.event, rect.width - 5) : [];
}

/** Columns between a label and its value. */
const gap = 2;
/** Longest label; a payload may have fields of any name. */
const maxLabelLength = 18;
/** Maximum rows of one field. */
const maxRows = 40;

function effectOf(event: HookEvent): Safe {
	if (event.data.test) return text.testEffect;
	const effect = effects[hookKind(event.event, event.data)];
	const background = inBackground(event);
	return background === undefined ? effect : safe`${effect}, ${cleanLine(background)}`;
}

/** One event in full: its effect on the session, its delivery, and every forwarded field. */
function linesOf(event: HookEvent, width: number): Line[] {
	const {data, delivery, ts, receivedAt, computer} = event;
	const rows: (readonly [string, Safe])[] = [
		[text.labels.effect, effectOf(event)],
		[text.labels.event, cleanLine(eventName(event))],
		[text.labels.client, cleanLine(clientName(event))],
		...(computer ? [[text.labels.computer, cleanLine(computer.name)] as const] : []),
		[text.labels.at, dateTime(ts)],
		[text.labels.delivery, (delivery === 'socket' ? text.bySocket : text.bySpool)(latency(receivedAt - ts))],
		...Object.entries(data)
			.filter(([name]) => name !== 'hook_event_name')
			.map(([name, value]) => [name, cleanText(String(value), {maxLength: 4096})] as const),
		[text.labels.process, text.process(event.pid, event.agentPid)],
		[text.labels.id, cleanLine(event.id)],
	];
	const labels = rows.map(([label]) => cleanLine(label, maxLabelLength));
	const labelWidth = Math.max(...labels.map(label => label.length)) + gap;
	const room = Math.max(8, width - labelWidth);
	return rows.flatMap(([, value], field) =>
		wrapText(value, room, maxRows).map(
			(row, index): Line => [
				span(pad((index === 0 && labels[field]) || safe``, labelWidth), 'dim'),
				span(row),
			],
		),
	);
}
