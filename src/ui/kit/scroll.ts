import {at, moveCursor} from '../../state/cursor.ts';
import type {Lists} from '../../state/lists.ts';
import {following, type Reading} from '../../state/reading.ts';
import {sections} from '../../state/row-places.ts';
import {withCursor} from '../../state/shown-item.ts';
import {withReading} from '../../state/view.ts';
import {scrollComputers} from '../computers/scroll-computers.ts';
import {setView} from '../set-view.ts';
import {moveMark} from '../stream/marking.ts';
import {
	type Extent,
	type StreamExtent,
	scrolled,
	selectedMoved,
	toTop,
	windowOf,
} from '../stream/viewport.ts';
import type {AppParts} from '../use-app.ts';
import {scrollPage} from '../views/organization-scroll.ts';
import {scrollEvents} from '../views/scroll-events.ts';

/** By one row or message, by half a page, or all the way; positive is down. */
export type Move = {readonly kind: 'step' | 'page' | 'edge'; readonly by: 1 | -1};

/** Moves within the focused pane: rows of lists, messages of the stream, lines of a computer's detail. */
export function scroll(parts: AppParts, lists: Lists, move: Move): void {
	const {page, focus, shown} = parts.view.getState();
	if (page === 'computers') scrollComputers(parts, move);
	else if (page === 'events') scrollEvents(parts, move);
	else if (page !== 'work') scrollPage(parts, move);
	else if (focus === 'lists') scrollLists(parts, lists, move);
	else if (shown?.kind === 'session') scrollStream(parts, shown.id, move);
	else if (shown) scrollDetail(parts, move);
}

function scrollLists(parts: AppParts, lists: Lists, {kind, by}: Move): void {
	setView(parts.view, view => {
		if (kind !== 'edge')
			return withCursor(
				view,
				moveCursor(lists, view.cursor, kind === 'step' ? by : by * half(parts.sizes.lists)),
			);
		const section = view.cursor?.section ?? sections[0];
		return withCursor(view, at(lists, section, by > 0 ? Number.POSITIVE_INFINITY : 0));
	});
}

function scrollStream(parts: AppParts, sessionId: string, move: Move): void {
	const extent = parts.sizes.stream;
	if (!extent) return;
	if (parts.view.getState().mark?.sessionId === sessionId) {
		moveMark(parts, move.kind === 'edge' ? (move.by > 0 ? 'end' : 'start') : markStep(extent, move));
		return;
	}
	const reading = parts.view.getState().readings.get(sessionId) ?? following;
	readOn(parts, extent, readingAfter(extent, reading, move), move.by);
}

/** Scrolls a visible stream by rows, whatever has the focus. */
export function scrollStreamRows(parts: AppParts, extent: StreamExtent, rows: number): void {
	const reading = parts.view.getState().readings.get(extent.sessionId) ?? following;
	readOn(parts, extent, scrolled(extent, reading, rows), rows);
}

function readOn(parts: AppParts, extent: StreamExtent, next: Reading, by: number): void {
	const {sessionId} = extent;
	setView(parts.view, view => withReading(view, sessionId, next));
	const {slices} = windowOf(extent, next);
	const first = slices[0]?.index ?? 0;
	const last = slices.at(-1)?.index ?? 0;
	const {engine} = parts.actions;
	const hasOlder = parts.stores.streams.getState().open.get(sessionId)?.hasOlder === true;
	// Load more shortly before the reader reaches the end.
	if (by < 0 && hasOlder && first < extent.height) void engine.loadOlder(sessionId);
	if (by > 0 && extent.hasNewer && last > extent.ids.length - extent.height) engine.loadNewer(sessionId);
}

function markStep(extent: Extent, {kind, by}: Move): number {
	return kind === 'page' ? by * half(extent.height) : by;
}

function readingAfter(extent: Extent, reading: Reading, {kind, by}: Move): Reading {
	if (kind === 'step') return selectedMoved(extent, reading, by);
	if (kind === 'page') return scrolled(extent, reading, by * half(extent.height));
	return by > 0 ? following : toTop(extent, reading);
}

function scrollDetail(parts: AppParts, {kind, by}: Move): void {
	const {rows, height} = parts.sizes.detail;
	scrollDetailRows(parts, kind === 'edge' ? by * rows : kind === 'step' ? by : by * half(height));
}

/** Scrolls the computer in the main area by rows, whatever has the focus. */
export function scrollDetailRows({view, sizes}: AppParts, by: number): void {
	const maxTop = Math.max(0, sizes.detail.rows - sizes.detail.height);
	setView(view, now => {
		const top = Math.min(maxTop, now.detailTop) + by;
		return {...now, detailTop: Math.max(0, Math.min(maxTop, top))};
	});
}

function half(rows: number): number {
	return Math.max(1, Math.floor(rows / 2));
}

/** The target row of a move from row `from`: 0 to `max`; a page is half of `height` rows. */
export function moveRow(from: number, max: number, height: number, {kind, by}: Move): number {
	if (kind === 'edge') return by > 0 ? max : 0;
	const step = kind === 'step' ? 1 : Math.max(1, Math.floor(height / 2));
	return Math.max(0, Math.min(max, from + by * step));
}
