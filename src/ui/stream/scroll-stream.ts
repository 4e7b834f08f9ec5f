import {setView, withScrollState} from '../../state/view/view.ts';
import {following, type ScrollState} from '../../state/view/view-states.ts';
import {halfPage, type Move} from '../kit/scroll.ts';
import type {AppParts} from '../use-app.ts';
import {currentStream} from './stream-now.ts';
import {type Extent, type StreamExtent, scrolled, selectedMoved, toTop, windowOf} from './viewport.ts';

/** Moves through the open session. */
export function scrollStream(parts: AppParts, move: Move): void {
	const extent = currentStream(parts);
	if (!extent) return;
	const scroll = parts.view.getState().scrollStates.get(extent.sessionId) ?? following;
	const shown = move.kind === 'edge' && move.by < 0 ? fromItsStart(parts, extent) : extent;
	readOn(parts, shown, scrollAfter(shown, scroll, move), move.by);
}

/** Shows a transcript from its start, which is as near as its end; of other sessions, what is loaded. */
function fromItsStart(parts: AppParts, extent: StreamExtent): StreamExtent {
	const {transcript, hasOlder} = parts.stores.streams.getState().open.get(extent.sessionId) ?? {};
	if (!transcript || !hasOlder) return extent;
	parts.actions.engine.sessions.follower(extent.sessionId)?.showMessage('0');
	return currentStream(parts) ?? extent;
}

/** Scrolls a visible stream by rows, whatever has the focus. */
export function scrollStreamRows(parts: AppParts, extent: StreamExtent, rows: number): void {
	const scroll = parts.view.getState().scrollStates.get(extent.sessionId) ?? following;
	readOn(parts, extent, scrolled(extent, scroll, rows), rows);
}

function readOn(parts: AppParts, extent: StreamExtent, next: ScrollState, by: number): void {
	const {sessionId} = extent;
	setView(parts.view, view => withScrollState(view, sessionId, next));
	const {slices} = windowOf(extent, next);
	const first = slices[0]?.index ?? 0;
	const last = slices.at(-1)?.index ?? 0;
	const {engine} = parts.actions;
	const hasOlder = parts.stores.streams.getState().open.get(sessionId)?.hasOlder === true;
	// Load more shortly before the reader reaches the end.
	if (by < 0 && hasOlder && first < extent.height) void engine.sessions.follower(sessionId)?.loadOlder();
	if (by > 0 && extent.hasNewer && last > extent.ids.length - extent.height)
		engine.sessions.follower(sessionId)?.loadNewer();
}

function scrollAfter(extent: Extent, scroll: ScrollState, {kind, by}: Move): ScrollState {
	if (kind === 'step') return selectedMoved(extent, scroll, by);
	if (kind === 'page') return scrolled(extent, scroll, by * halfPage(extent.height));
	return by > 0 ? following : toTop(extent, scroll);
}
