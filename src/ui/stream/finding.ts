import type {Stores} from '../../state/stores.ts';
import type {StreamEntry} from '../../state/stream.ts';
import type {Find, FindProgress, Found, Hit} from '../../state/view/find.ts';
import {isExpanded, setView, type ViewStore} from '../../state/view/view.ts';
import {following} from '../../state/view/view-states.ts';
import {isCollapsed} from '../../text/messages/collapsed-rows.ts';
import {noMatches, type RowMatches, searchPattern} from '../../text/search/search-matches.ts';
import type {KeyLayer} from '../input.ts';
import {fieldText, textAfterKey} from '../kit/text-field.tsx';
import {openSession} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';
import {foundInItem, matchIndex} from './found-rows.ts';
import {goToHit} from './go-to-hit.ts';
import {itemRows} from './item-rows.ts';
import {messageIds, type StreamItem, streamItems} from './stream-items.ts';
import {currentStream} from './stream-now.ts';

/** Searches for new words and goes to the newest matching message at or above the reader's position. */
export function findWords(parts: AppParts, sessionId: string, words: string, isTyping: boolean): void {
	const before = findIn(parts.view, sessionId);
	const from = before?.isTyping ? before.from : readerAt(parts.view, sessionId);
	const find = {sessionId, words, isTyping, count: 0, newer: 0, isSearching: true, from};
	search(parts, find, before);
}

/** Goes to the next match (the previous one when `by` is -1), wrapping around once both ends are known. */
export function moveFind(parts: AppParts, by: 1 | -1): void {
	const {find} = parts.view.getState();
	if (!find) return;
	const {hit} = find;
	const matches = hit ? matchesIn(parts, find, hit.id).matches : noMatches;
	const nth = hit && (matchIndex(matches, hit.nth) ?? 0) + by;
	if (hit && nth !== undefined && matches.startRows[nth] !== undefined)
		goToHit(parts, {...find, hit: {...hit, nth}});
	else {
		const found = nextFound(parts, hit, by);
		if (found) goToFound(parts, find, found, by);
	}
}

/** The next message with a match; not another one of the same item, whose matches the reader has been through. */
function nextFound(parts: AppParts, hit: Hit | undefined, by: 1 | -1): Found | undefined {
	const stream = currentStream(parts);
	const item = hit && stream?.items[stream.indexOf(hit.id)];
	const ids = new Set(item?.otherIds && messageIds(item));
	let found = parts.actions.search.move(by);
	for (let left = ids.size; left > 1 && found && found.id !== hit?.id && ids.has(found.id); left--)
		found = parts.actions.search.move(by);
	return found;
}

/** Opens a session at a message found by a search over all sessions. */
export function openAtMessage(parts: AppParts, sessionId: string, messageId: string, words: string): void {
	const {page, focus, cursor, shown, openedFrom, lastSession, split, scrollStates} = parts.view.getState();
	openSession(parts, sessionId, 'main');
	const hit = {id: messageId};
	const find = {
		sessionId,
		words,
		isTyping: false,
		isSearching: true,
		from: messageId,
		count: 1,
		newer: 0,
		hit,
		cameFrom: {page, focus, cursor, shown, openedFrom, lastSession, split, scrollStates},
	};
	goToHit(parts, find);
	search(parts, find);
}

/** Ends the search in the session and removes its highlights; one of all sessions goes back to where it began. */
export function endFind({actions, view}: AppParts): void {
	actions.search.endInSession();
	setView(view, ({find, ...now}) => ({...now, ...find?.cameFrom}));
}

/**
 * Goes to the nearest match unless the reader is at a match already. Matches that arrive after the search is
 * over are counted and highlighted, but move nothing. The previous match stays the current one until there is a new
 * one, so that the stream doesn't flicker while typing.
 */
function search(parts: AppParts, first: Find, before?: Find): void {
	let hasResult = false;
	let isPlaced = first.hit !== undefined;
	const {sessionId, words} = first;
	const isWanted = () => findIn(parts.view, sessionId) !== undefined;
	parts.actions.search.inSession(first.sessionId, first.words, first.from, progress => {
		const find = hasResult ? findIn(parts.view, first.sessionId) : first;
		hasResult = true;
		if (find?.words !== first.words) return;
		const {count, newer, isOver} = progress;
		if (before?.hit && count === 0 && !isOver) {
			setView(parts.view, view => ({...view, find: {...find, hit: before.hit}}));
			return;
		}
		const hasNearest = newer < count || (isOver && count > 0);
		const found = !isPlaced && hasNearest ? parts.actions.search.move(0) : undefined;
		isPlaced ||= isOver || hasNearest;
		if (found) goToHit(parts, {...withProgress(find, found), hit: {id: found.id}});
		else setView(parts.view, view => ({...view, find: withProgress(find, progress)}));
	});
	if (words.trim() !== '') void parts.actions.engine.sessions.follower(sessionId)?.readRest(isWanted);
}

/** Drops the current match if its message no longer contains the words. */
function withProgress(
	{hit, ...find}: Find,
	{count, newer, isAtCursor, isOver, isIncomplete}: FindProgress,
): Find {
	return {
		...find,
		count,
		newer,
		isSearching: !isOver,
		isIncomplete,
		hit: isAtCursor || !isOver ? hit : undefined,
	};
}

function findIn(view: ViewStore, sessionId: string): Find | undefined {
	const {find} = view.getState();
	return find?.sessionId === sessionId ? find : undefined;
}

function readerAt(view: ViewStore, sessionId: string): string | undefined {
	const scroll = view.getState().scrollStates.get(sessionId) ?? following;
	return scroll.isFollowing ? undefined : scroll.selected;
}

/** Moving down enters a message at its first match, moving up at its last. */
function goToFound(parts: AppParts, find: Find, found: Found, by: 1 | -1): void {
	const {id} = found;
	const nth = by > 0 ? 0 : Math.max(0, matchesIn(parts, find, id).matches.startRows.length - 1);
	goToHit(parts, {...withProgress(find, found), hit: {id, nth}});
}

/** Keys while the user types words to find in the session. */
export function findLayer(parts: AppParts, find: Find): KeyLayer {
	const change = (words: string) => findWords(parts, find.sessionId, words, true);
	return {
		isModal: true,
		handle(press) {
			const action = parts.keys.find(['find'], press.name)?.action;
			const words = textAfterKey(find.words, press, action);
			if (words === undefined) parts.input.handleKey(parts, press, ['find']);
			else change(words);
			return 'consumed';
		},
		paste(text) {
			change(find.words + fieldText(text));
			return 'consumed';
		},
	};
}

/** Also saves words without a match: they are found when they arrive. */
export function keepFind(parts: AppParts): void {
	const {find} = parts.view.getState();
	if (find && find.words.trim() !== '')
		setView(parts.view, view => ({...view, find: {...find, isTyping: false}}));
	else endFind(parts);
}

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
