import type {EventsReading, EventsSide} from '../../state/reading.ts';
import {type View, withEvents} from '../../state/view.ts';
import {type Move, moveRow} from '../kit/scroll.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {eventIndex} from './event-intents.ts';

/** Moves the event log's cursor, or scrolls the focused pane beside it. */
export function scrollEvents(parts: AppParts, move: Move): void {
	const {pane, cursor} = parts.view.getState().events;
	if (pane !== 'log') {
		const {rows, height} = parts.sizes.eventSides?.[pane] ?? {rows: 0, height: 1};
		scrollSide(parts, pane, top => moveRow(top, Math.max(0, rows - height), height, move));
		return;
	}
	const {entries, height} = parts.sizes.events ?? {entries: [], height: 1};
	moveEventCursor(parts, moveRow(eventIndex(entries, cursor), entries.length - 1, height, move));
}

/** Scrolls a side pane, focused or not, to the row `next` returns, clamped to its lines. */
export function scrollSide(parts: AppParts, side: EventsSide, next: (top: number) => number): void {
	const size = parts.sizes.eventSides?.[side];
	if (!size) return;
	const maxTop = Math.max(0, size.rows - size.height);
	setView(parts.view, view => {
		const {tops} = view.events;
		const top = Math.max(0, Math.min(maxTop, next(Math.min(maxTop, tops[side]))));
		return withEvents(view, {...heldFor(parts, side, view), tops: {...tops, [side]: top}});
	});
}

/** Focuses a pane of the Events view. */
export function focusEvents(parts: AppParts, pane: EventsReading['pane']): void {
	setView(parts.view, view =>
		pane === 'log'
			? withEvents(view, {pane})
			: withEvents(view, {...heldFor(parts, pane, view), pane, side: pane}),
	);
}

/** Moves the focus to the next pane, wrapping around; skips the event pane when there is no event. */
export function nextEventsPane(parts: AppParts, by: 1 | -1): void {
	const hasEvent = (parts.sizes.events?.entries.length ?? 0) > 0;
	const stops: readonly EventsReading['pane'][] = hasEvent
		? ['log', 'event', 'diagnostics']
		: ['log', 'diagnostics'];
	const at = Math.max(0, stops.indexOf(parts.view.getState().events.pane));
	focusEvents(parts, stops[(at + by + stops.length) % stops.length] ?? 'log');
}

/** Fixes the cursor on the event being read, so that new events don't replace it. */
function heldFor({sizes}: AppParts, side: EventsSide, {events}: View): {cursor?: number} {
	if (side === 'diagnostics' || events.cursor !== undefined) return {};
	return cursorAt(sizes.events?.entries.at(-1)?.number);
}

/**
 * Moves the cursor to a shown event by index, clamped. At the end of the log it follows new events; near the
 * start it loads older ones.
 */
export function moveEventCursor(parts: AppParts, index: number): void {
	const {entries, height} = parts.sizes.events ?? {entries: [], height: 1};
	const next = Math.max(0, Math.min(entries.length - 1, index));
	const isAtEnd = next === entries.length - 1;
	setView(parts.view, view => {
		const tops = {...view.events.tops, event: 0};
		const cursor = isAtEnd ? {} : cursorAt(entries[next]?.number);
		return withEvents(following(view), {...cursor, tops});
	});
	if (next < height) parts.actions.engine.loadOlderEvents();
}

function cursorAt(cursor: number | undefined): {cursor?: number} {
	return cursor === undefined ? {} : {cursor};
}

/** Makes the cursor follow the newest event. */
function following(view: View): View {
	const {cursor: _, ...events} = view.events;
	return {...view, events};
}
