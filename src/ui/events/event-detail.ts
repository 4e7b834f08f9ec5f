import {type HookEvent, hookKind} from '../../domain/sessions/hook-event.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {dateTime} from '../../text/values/times.ts';
import {clientName, eventName, inBackground, latency} from './event-row.ts';

/** Columns between a label and its value. */
const gap = 2;
/** Longest label; field names from unknown senders are cut to it. */
const maxLabelLength = 18;
const maxRows = 40;

/** The session state each kind of event leads to, in a few words. */
const meanings: Readonly<Record<ReturnType<typeof hookKind>, Safe>> = {
	started: safe`idle`,
	prompted: safe`working`,
	permission: safe`needs you: permission`,
	idle: safe`needs you: input`,
	question: safe`needs you: input`,
	stopped: safe`done, your turn`,
	failed: safe`error`,
	cleared: safe`replaced`,
	ended: safe`ended`,
	interrupted: safe`idle, interrupted`,
	other: safe`none: only logged`,
};

function effectOf(event: HookEvent): Safe {
	if (event.data.test) return safe`a test event: ignored`;
	const meaning = meanings[hookKind(event.event, event.data)];
	const goesOn = inBackground(event);
	return goesOn === undefined ? meaning : safe`${meaning}, ${cleanLine(goesOn)}`;
}

/** One event in full: its effect on the session, its delivery, and every forwarded field. */
export function eventDetailLines(event: HookEvent, width: number): Line[] {
	const {data, delivery, ts, receivedAt} = event;
	const rows: (readonly [string, Safe])[] = [
		['says', effectOf(event)],
		['event', cleanLine(eventName(event))],
		['client', cleanLine(clientName(event))],
		['happened', dateTime(ts)],
		[
			'delivered',
			safe`by ${delivery === 'socket' ? safe`socket` : safe`spool`}, after ${latency(receivedAt - ts)}`,
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
	return rows.flatMap(([, value], fact) =>
		wrapText(value, room, maxRows).map(
			(row, index): Line => [
				span(pad((index === 0 && labels[fact]) || safe``, labelWidth), 'dim'),
				span(row),
			],
		),
	);
}
