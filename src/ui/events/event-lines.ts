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

/** The session state that each kind of event leads to. */
const effects: Readonly<Record<ReturnType<typeof hookKind>, Safe>> = {
	started: safe`idle`,
	prompted: safe`working`,
	permission: safe`asks: permission`,
	answered: safe`working`,
	idle: safe`none, unless its turn seemed to go on`,
	question: safe`asks`,
	stopped: safe`done`,
	failed: safe`failed`,
	cleared: safe`replaced`,
	ended: safe`ended`,
	interrupted: safe`idle, interrupted`,
	other: safe`none: only logged`,
};

function effectOf(event: HookEvent): Safe {
	if (event.data.test) return safe`a test event: ignored`;
	const effect = effects[hookKind(event.event, event.data)];
	const background = inBackground(event);
	return background === undefined ? effect : safe`${effect}, ${cleanLine(background)}`;
}

/** One event in full: its effect on the session, its delivery, and every forwarded field. */
function linesOf(event: HookEvent, width: number): Line[] {
	const {data, delivery, ts, receivedAt, computer} = event;
	const rows: (readonly [string, Safe])[] = [
		['effect', effectOf(event)],
		['event', cleanLine(eventName(event))],
		['client', cleanLine(clientName(event))],
		...(computer ? [['computer', cleanLine(computer.name)] as const] : []),
		['happened', dateTime(ts)],
		[
			'delivered',
			(delivery === 'socket'
				? (latency: Safe) => safe`by socket, after ${latency}`
				: (latency: Safe) => safe`by spool, after ${latency}`)(latency(receivedAt - ts)),
		],
		...Object.entries(data)
			.filter(([name]) => name !== 'hook_event_name')
			.map(([name, value]) => [name, cleanText(String(value), {maxLength: 4096})] as const),
		['process', safe`hook ${event.pid}, agent ${event.agentPid}`],
		['id', cleanLine(event.id)],
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
