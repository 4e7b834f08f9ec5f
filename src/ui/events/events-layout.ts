import type {LogEntry} from '../../state/event-log.ts';
import type {EventsReading} from '../../state/reading.ts';
import type {View} from '../../state/view.ts';
import {bodyOf, type Layout, leftWidth, type Rect, seamOf, topHeight} from '../layout.ts';
import type {Parts} from '../use-app.ts';
import {eventIndex} from './event-intents.ts';

/**
 * Rectangles of the events view: the log and, beside or below it, the event and the diagnostics, or only one
 * of these.
 */
export type EventsLayout = {readonly log: Rect; readonly event?: Rect; readonly diagnostics?: Rect};

const besideFrom = 100;
const sideWidth = {share: 0.38, min: 40, max: 72} as const;
/** Minimum rows of a column with both side panes. */
const bothFrom = 26;
/** Below this height, in rows, only the focused pane is shown. */
const logAlone = 12;

function eventsLayout(
	screen: Pick<Layout, 'columns' | 'rows' | 'banner' | 'isScreenReader'>,
	/** `side` is the pane beside the log when only one fits; `hasEvent` is false when no event is selected. */
	{pane, side, hasEvent}: Pick<EventsReading, 'pane' | 'side'> & {readonly hasEvent: boolean},
	share?: number,
	heightShare?: number,
): EventsLayout {
	const {columns} = screen;
	const body = bodyOf(screen);
	const seam = seamOf(screen);
	if (columns >= besideFrom) {
		const usual = Math.max(sideWidth.min, Math.min(sideWidth.max, Math.round(columns * sideWidth.share)));
		const left = leftWidth(columns, share) ?? columns - usual;
		const right = {...body, x: left - seam, width: columns - left + seam};
		const log = {...body, width: left};
		if (!hasEvent) return {log, diagnostics: right};
		if (body.height < bothFrom) return {log, [side]: right};
		const height = Math.ceil(body.height / 2);
		return {
			log,
			event: {...right, height},
			diagnostics: {...right, y: body.y + height - seam, height: body.height - height + seam},
		};
	}
	if (side === 'event' && !hasEvent) return {log: body};
	if (body.height < logAlone) return pane === 'log' ? {log: body} : {log: {...body, height: 0}, [pane]: body};
	const height = topHeight(body.height, heightShare) ?? Math.ceil(body.height / 2);
	return {
		log: {...body, height},
		[side]: {...body, y: body.y + height - seam, height: body.height - height + seam},
	};
}

/** The events that pass the filter, the cursor's index among them, and the rectangles of the panes. */
export type EventsNow = EventsLayout & {readonly entries: readonly LogEntry[]; readonly index: number};

/** The Events view as drawing and keys see it. */
export function eventsNow(
	parts: Parts<'caches' | 'stores'>,
	{events, shares, heights}: View,
	layout: Layout,
): EventsNow {
	const entries = parts.caches.events(parts.stores.events.getState().entries, events);
	const {pane, side} = events;
	const rects = eventsLayout(
		layout,
		{pane, side, hasEvent: entries.length > 0},
		shares.events,
		heights.events,
	);
	return {entries, index: eventIndex(entries, events.cursor), ...rects};
}

/** The pane before the divider, if there is one. */
export function beforeEventsDivider({log, event, diagnostics}: EventsLayout): Rect | undefined {
	return log.height > 0 && (event ?? diagnostics) !== undefined ? log : undefined;
}
