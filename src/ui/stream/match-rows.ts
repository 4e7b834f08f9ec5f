import type {Stores} from '../../state/stores.ts';
import type {StreamEntry} from '../../state/stream.ts';
import type {Find} from '../../state/view/find.ts';
import {isExpanded} from '../../state/view/view.ts';
import {isCollapsed} from '../../text/messages/collapsed-rows.ts';
import {noMatches, type RowMatches, searchPattern} from '../../text/search/search-matches.ts';
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

/** Matches, and whether more or better ones are hidden while the message is collapsed. */
type ItemMatches = {readonly matches: RowMatches; readonly areCollapsed: boolean};

/** The matches in a message's rows, without its lead: as rendered, or expanded if that has more or better matches. */
export function matchesIn(parts: AppParts, {sessionId, words}: Find, id: string): ItemMatches {
	const {view, keys, caches} = parts;
	const pattern = searchPattern(words);
	const stream = currentStream(parts);
	const item = stream?.items[stream.indexOf(id)] ?? hiddenItem(parts.stores, sessionId, id);
	if (!item || !pattern || !stream) return {matches: noMatches, areCollapsed: false};
	const isOpen = isExpanded(view.getState().expanded, messageIds(item));
	const {width, isTall, folder} = stream;
	const rowsOf = (isOpened: boolean) =>
		itemRows(caches.rows, sessionId, item, {width, isTall, folder, isExpanded: isOpened}, keys);
	const drawn = rowsOf(isOpen);
	const matches = foundInItem(drawn, pattern, width);
	if (isOpen || !isCollapsed(drawn)) return {matches, areCollapsed: false};
	const all = foundInItem(rowsOf(true), pattern, width);
	const areCollapsed = all.best.terms > matches.best.terms || all.startRows.length > matches.startRows.length;
	return {matches: areCollapsed ? all : matches, areCollapsed};
}
