import type {LogEntry} from '../../state/event-log.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {setView, type View, withEvents} from '../../state/view/view.ts';
import type {EventsSide, EventsViewState} from '../../state/view/view-states.ts';
import {type Move, moveRow, scrolledTop} from '../kit/scroll.ts';
import {layoutNow} from '../layout-now.ts';
import type {AppParts} from '../use-app.ts';
import {diagnosticsLines} from './diagnostics-lines.ts';
import {eventLines} from './event-lines.ts';
import {type EventsNow, eventsNow} from './events-layout.ts';

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
		side === 'event' ? eventLines(now, rect) : diagnosticsLines(parts, lists, rect, parts.ticker.now());
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
