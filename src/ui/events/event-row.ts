import {type HookEvent, hookKind} from '../../domain/sessions/signal.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {fitLine, type Line, lineWidth, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {dateTime} from '../../text/values/times.ts';

/** Minimum width, in columns, that shows the client. */
const minClientWidth = 60;

/** The glyph and color of each kind of event; the event's name is beside them. */
const looks = {
	started: [safe`○`, 'dim'],
	prompted: [safe`●`, 'good'],
	permission: [safe`!`, 'warn'],
	answered: [safe`●`, 'good'],
	idle: [safe`·`, 'dim'],
	question: [safe`!`, 'warn'],
	stopped: [safe`✓`, 'good'],
	failed: [safe`✗`, 'bad'],
	cleared: [safe`·`, 'dim'],
	ended: [safe`·`, 'dim'],
	interrupted: [safe`○`, 'dim'],
	other: [safe`·`, 'dim'],
} as const satisfies Record<ReturnType<typeof hookKind>, readonly [Safe, Tone]>;

/** `14:02:07 ! claude  Notification   shop  needs your permission          12ms`, at most `width` columns. */
export function eventRow(event: HookEvent, width: number, now: number): Line {
	const {data} = event;
	const [glyph, tone] = looks[hookKind(event.event, data)];
	const isWide = width >= minClientWidth;
	const folderWidth = width >= 90 ? 18 : 11;
	const end = deliveryText(event);
	const folder = data.cwd?.split(/[/\\]/).findLast(part => part !== '') ?? data.session_id?.slice(0, 8);
	const details =
		data.message ??
		data.error ??
		data.reason ??
		data.source ??
		data.agent_type ??
		inBackground(event) ??
		(data.damaged === undefined ? '' : `damaged: ${data.damaged}`);
	const left: Line = [
		span(timeOrDay(event.ts, now), 'dim'),
		span(safe` ${glyph} `, tone),
		...(isWide ? [span(safe`${pad(cleanLine(clientName(event), 40), 8)} `, 'dim')] : []),
		span(safe`${pad(cleanLine(eventName(event), 60), isWide ? 17 : 12)} `),
		span(pad(cleanLine(folder ?? '-', 60), folderWidth), 'strong'),
		span(safe` ${cleanLine(details, 300)}`, data.damaged ? 'bad' : tone === 'dim' ? 'dim' : undefined),
	];
	const room = width - lineWidth(end) - 1;
	const cut = fitLine(left, room);
	return [...cut, span(pad(safe``, Math.max(1, width - lineWidth(cut) - lineWidth(end)))), ...end];
}

/** The event's name; an unreadable payload has none. */
export function eventName({event}: HookEvent): string {
	return event === '' ? '(no name)' : event;
}

/** The event's client; `unnamed` if neither `--client`, the payload nor the environment names it. */
export function clientName({client}: HookEvent): string {
	return client === '' ? 'unnamed' : client;
}

/** `2 in background`: tasks still running after a stop, if any. */
export function inBackground({event, data}: HookEvent): string | undefined {
	const count = data.background_tasks ?? 0;
	return count > 0 && hookKind(event, data) === 'stopped' ? `${count} in background` : undefined;
}

function deliveryText({delivery, receivedAt, ts, data}: HookEvent): Line {
	const time = latency(receivedAt - ts);
	return [
		...(data.test ? [span(safe`test `, 'info')] : []),
		delivery === 'spool' ? span(safe`spool ${time}`, 'warn') : span(time, 'dim'),
	];
}

/**
 * Formats the time (ms) from the hook's start until we received the event: `12ms`, `1s`, `3m`. A negative
 * time, from a fast clock, counts as 0.
 */
export function latency(time: number): Safe {
	const ms = Math.max(0, Math.round(time));
	if (ms < 1000) return safe`${ms}ms`;
	if (ms < 100_000) return safe`${Math.floor(ms / 1000)}s`;
	return ms < 6_000_000 ? safe`${Math.floor(ms / 60_000)}m` : safe`${Math.floor(ms / 3_600_000)}h`;
}

/** `14:02:07`, or `11-20` if the day differs from that of `now`; both in local time. */
function timeOrDay(at: number, now: number): Safe {
	const [day = '', time = ''] = dateTime(at).split(' ');
	return cleanLine(dateTime(now).startsWith(day) ? time.padStart(8) : day.slice(5).padEnd(8));
}
