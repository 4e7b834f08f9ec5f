import {indexFrom, type LogEntry} from '../../state/event-log.ts';
import {filterOf, type View} from '../../state/view/view.ts';
import {bodyOf, type Layout, leftWidth, type Rect, seamOf, topHeight} from '../layout.ts';
import type {AppParts} from '../use-app.ts';

/**
 * Rectangles of the events view: the log and, beside or below it, the event and the diagnostics, or only one
 * of these.
 */
export type EventsLayout = {readonly log: Rect; readonly event?: Rect; readonly diagnostics?: Rect};

/** Minimum columns of the screen for panes beside the log. */
const minBesideColumns = 100;
const sideWidth = {share: 0.38, min: 40, max: 72} as const;
/** Minimum rows for two panes beside the log. */
const minTwoPanesRows = 26;
/** Minimum rows for a pane below the log; with fewer, only the focused pane is shown. */
const minBelowRows = 12;

function eventsLayout(layout: Layout, {events, shares, heights}: View, hasEvent: boolean): EventsLayout {
	// Of the two panes, `side` is shown when only one fits.
	const {pane, side} = events;
	const {columns} = layout;
	const body = bodyOf(layout);
	const seam = seamOf(layout);
	if (columns >= minBesideColumns) {
		const usual = Math.max(sideWidth.min, Math.min(sideWidth.max, Math.round(columns * sideWidth.share)));
		const left = leftWidth(columns, shares.events) ?? columns - usual;
		const right = {...body, x: left - seam, width: columns - left + seam};
		const log = {...body, width: left};
		if (!hasEvent) return {log, diagnostics: right};
		if (body.height < minTwoPanesRows) return {log, [side]: right};
		const height = Math.ceil(body.height / 2);
		return {
			log,
			event: {...right, height},
			diagnostics: {...right, y: body.y + height - seam, height: body.height - height + seam},
		};
	}
	if (side === 'event' && !hasEvent) return {log: body};
	if (body.height < minBelowRows)
		return pane === 'log' ? {log: body} : {log: {...body, height: 0}, [pane]: body};
	const height = topHeight(body.height, heights.events) ?? Math.ceil(body.height / 2);
	return {
		log: {...body, height},
		[side]: {...body, y: body.y + height - seam, height: body.height - height + seam},
	};
}

/** The events that pass the filter, the cursor's index among them, and the rectangles of the panes. */
export type EventsNow = EventsLayout & {readonly entries: readonly LogEntry[]; readonly index: number};

/** The Events view as drawing and keys see it. */
export function eventsNow(parts: AppParts, view: View, layout: Layout): EventsNow {
	const entries = shownEvents(parts, view);
	const index = eventIndex(entries, view.events.cursor);
	return {entries, index, ...eventsLayout(layout, view, entries.length > 0)};
}

/** The pane before the divider, if there is one. */
export function beforeEventsDivider({log, event, diagnostics}: EventsLayout): Rect | undefined {
	return log.height > 0 && (event ?? diagnostics) !== undefined ? log : undefined;
}

/** Index of the cursor's entry among those shown: the last one while it follows new events, -1 when there are none. */
export function eventIndex(entries: readonly LogEntry[], cursor: number | undefined): number {
	return cursor === undefined ? entries.length - 1 : Math.min(indexFrom(entries, cursor), entries.length - 1);
}

function shownEvents({caches, stores}: AppParts, view: View): readonly LogEntry[] {
	const {sessionId} = view.events;
	return caches.events(stores.events.getState().entries, filterOf(view, 'events'), sessionId);
}

/** The event that keys act on. */
export function selectedEvent(parts: AppParts, view: View): LogEntry | undefined {
	const entries = shownEvents(parts, view);
	return entries[eventIndex(entries, view.events.cursor)];
}
