import {type HookEvent, hookKind} from '../../domain/sessions/signal.ts';
import type {LogEntry} from '../../state/event-log.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {shortId} from '../../state/sessions/session-items.ts';
import {setView, type View, withEvents} from '../../state/view/view.ts';
import type {EventsSide, EventsViewState} from '../../state/view/view-states.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {dateTime} from '../../text/values/times.ts';
import {hookProblemText} from '../banner-lines.ts';
import {type Move, moveRow, scrolledTop} from '../kit/scroll.ts';
import type {Rect} from '../layout.ts';
import {layoutNow} from '../layout-now.ts';
import type {AppParts} from '../use-app.ts';
import {diagnosticsLines} from './diagnostics-lines.ts';
import {clientName, eventName, inBackground, latency} from './event-row.ts';
import {type EventsNow, eventsNow} from './events-layout.ts';
import {effects, strings} from './strings.ts';

/** The lines of the selected event, in a pane at `rect`. */
export function eventLines({entries, index}: EventsNow, rect: Rect): readonly Line[] {
	const entry = entries[index];
	return entry ? eventDetailLines(entry.event, rect.width - 5) : [];
}

/** The lines of the diagnostics at `now` (Unix ms), in a pane at `rect`. */
export function currentDiagnostics(
	{stores, keys, actions, hooks, profile}: AppParts,
	{all}: Lists,
	rect: Rect,
	now: number,
): readonly Line[] {
	const items: readonly {readonly id: string; readonly name: string}[] = [...all.sessions, ...all.computers];
	const nameOf = (id: string) => items.find(item => item.id === id)?.name ?? shortId(id);
	const data = {
		connection: stores.connection.getState(),
		problems: [...stores.fleet.getState().problems].map(([id, problem]) => [nameOf(id), problem] as const),
		watch: actions.engine.sessions.watcher.report(),
		outbox: [...stores.outbox.getState().bySession.values()].flat(),
		events: stores.events.getState().entries,
		notices: stores.notices.getState().latest,
		mistakes: profile.mistakes,
		hookProblem: hookProblemText(hooks.hint.getState(), keys),
		keys,
		now,
	};
	return diagnosticsLines(data, rect.width - 5);
}

function currentEvents(parts: AppParts): EventsNow {
	return eventsNow(parts, parts.view.getState(), layoutNow(parts));
}

function logRows({log}: EventsNow): number {
	return log.height - 2;
}

/** Moves the event log's cursor, or scrolls the focused pane beside it. */
export function scrollEvents(parts: AppParts, lists: Lists, move: Move): void {
	const {pane} = parts.view.getState().events;
	if (pane !== 'log') {
		scrollSide(parts, lists, pane, (top, maxTop, height) => moveRow(top, maxTop, height, move));
		return;
	}
	const now = currentEvents(parts);
	moveEventCursor(parts, moveRow(now.index, now.entries.length - 1, logRows(now), move));
}

/** Scrolls a side pane, focused or not, to the row `next` returns, clamped to its lines. */
export function scrollSide(
	parts: AppParts,
	lists: Lists,
	side: EventsSide,
	next: Parameters<typeof scrolledTop>[3],
): void {
	const now = currentEvents(parts);
	const rect = now[side];
	if (!rect) return;
	const lines =
		side === 'event' ? eventLines(now, rect) : currentDiagnostics(parts, lists, rect, parts.ticker.now());
	setView(parts.view, view => {
		const {tops} = view.events;
		const top = scrolledTop(tops[side], lines.length, rect.height - 2, next);
		return withEvents(view, {...fixedCursor(now, side, view), tops: {...tops, [side]: top}});
	});
}

export function focusEvents(parts: AppParts, pane: EventsViewState['pane']): void {
	const now = currentEvents(parts);
	setView(parts.view, view =>
		pane === 'log'
			? withEvents(view, {pane})
			: withEvents(view, {...fixedCursor(now, pane, view), pane, side: pane}),
	);
}

/** Moves the focus to the next pane, wrapping around; skips the event pane when there is no event. */
export function nextEventsPane(parts: AppParts, by: 1 | -1): void {
	const hasEvent = currentEvents(parts).entries.length > 0;
	const panes: readonly EventsViewState['pane'][] = hasEvent
		? ['log', 'event', 'diagnostics']
		: ['log', 'diagnostics'];
	const index = Math.max(0, panes.indexOf(parts.view.getState().events.pane));
	focusEvents(parts, panes[(index + by + panes.length) % panes.length] ?? 'log');
}

/** Fixes the cursor on the event being read, so that new events don't replace it. */
function fixedCursor({entries}: EventsNow, side: EventsSide, {events}: View): {cursor?: number} {
	if (side === 'diagnostics' || events.cursor !== undefined) return {};
	return cursorAt(entries.at(-1));
}

/** Moves the cursor to a shown event by index, clamped. */
export function moveEventCursor(parts: AppParts, index: number): void {
	const now = currentEvents(parts);
	const {entries} = now;
	const next = Math.max(0, Math.min(entries.length - 1, index));
	const isAtEnd = next === entries.length - 1;
	setView(parts.view, view => {
		const tops = {...view.events.tops, event: 0};
		const cursor = isAtEnd ? {} : cursorAt(entries[next]);
		return withEvents(withoutCursor(view), {...cursor, tops});
	});
	if (next < logRows(now)) parts.actions.engine.hooks.feed.loadOlder();
}

function cursorAt(entry: LogEntry | undefined): {cursor?: number} {
	return entry === undefined ? {} : {cursor: entry.number};
}

/** Without a cursor of its own, the log follows the newest event. */
function withoutCursor(view: View): View {
	const {cursor: _, ...events} = view.events;
	return {...view, events};
}

const text = strings.event;

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
function eventDetailLines(event: HookEvent, width: number): Line[] {
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
