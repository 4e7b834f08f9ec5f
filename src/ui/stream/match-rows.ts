import type {Find} from '../../state/find.ts';
import type {Stores} from '../../state/stores.ts';
import type {StreamEntry} from '../../state/stream.ts';
import {isExpanded} from '../../state/view.ts';
import {isCollapsed} from '../../text/messages/row-text.ts';
import {searchPattern} from '../../text/search/search-matches.ts';
import type {AppParts} from '../use-app.ts';
import {foundInItem} from './found-rows.ts';
import {itemRows} from './item-rows.ts';
import {messageIds, type StreamItem, streamItems} from './stream-items.ts';
import {currentStream} from './stream-now.ts';

export function entryOf(stores: Stores, sessionId: string, id: string): StreamEntry | undefined {
	return stores.streams
		.getState()
		.open.get(sessionId)
		?.entries.find(entry => entry.id === id);
}

/** A message that the stream doesn't show, as it would. */
function hiddenItem(stores: Stores, sessionId: string, id: string): StreamItem | undefined {
	const entry = entryOf(stores, sessionId, id);
	const outbox = stores.outbox.getState().bySession.get(sessionId) ?? [];
	return streamItems(entry ? [entry] : [], outbox, true)[0];
}

/** Rows with matches, and whether more of them are hidden while the message is collapsed. */
type Matches = {readonly rows: readonly number[]; readonly areCollapsed: boolean};

/**
 * The rows of a message that contain matches, without its lead: as rendered, or expanded if that has more
 * matches. None for a message that is not loaded.
 */
export function matchesIn(parts: AppParts, {sessionId, words}: Find, id: string): Matches {
	const {view, keys, caches} = parts;
	const pattern = searchPattern(words);
	const stream = currentStream(parts);
	const item = stream?.items[stream.indexOf(id)] ?? hiddenItem(parts.stores, sessionId, id);
	if (!item || !pattern || !stream) return {rows: [], areCollapsed: false};
	const isOpen = isExpanded(view.getState().expanded, messageIds(item));
	const {width, isTall, folder} = stream;
	const rowsOf = (isOpened: boolean) =>
		itemRows(caches.rows, sessionId, item, {width, isTall, folder, isExpanded: isOpened}, keys);
	const drawn = rowsOf(isOpen);
	const rows = foundInItem(drawn, pattern, width).startRows;
	if (isOpen || !isCollapsed(drawn)) return {rows, areCollapsed: false};
	const all = foundInItem(rowsOf(true), pattern, width).startRows;
	return all.length > rows.length ? {rows: all, areCollapsed: true} : {rows, areCollapsed: false};
}
