import type {Find, Hit} from '../../state/view/find.ts';
import {isExpanded, setView, withExpanded, withScrollState} from '../../state/view/view.ts';
import {following, type ScrollState} from '../../state/view/view-states.ts';
import type {AppParts} from '../use-app.ts';
import {entryOf, matchesIn} from './finding.ts';
import {matchIndex} from './found-rows.ts';
import {isHidden, messageIds} from './stream-items.ts';
import {currentStream} from './stream-now.ts';
import {positionOf, type StreamExtent, windowOf, withInSight} from './viewport.ts';

/** A find that is positioned at a match. */
type FindAtHit = Find & {readonly hit: Hit};

/** Scrolls to a match, showing hidden messages and expanding them as needed. */
export function goToHit(parts: AppParts, find: FindAtHit): void {
	const {view} = parts;
	const {sessionId, hit} = find;
	const isCollapsedAgain = collapsePrevious(parts, hit.id);
	parts.actions.engine.sessions.follower(sessionId)?.showMessage(hit.id);
	const entry = entryOf(parts.stores, sessionId, hit.id);
	if (entry && isHidden(entry)) setView(view, now => ({...now, showsHidden: true}));
	const {matches, areCollapsed: isExpandedBySearch} = matchesIn(parts, find, hit.id);
	if (isExpandedBySearch) setView(view, now => withExpanded(now, itemIds(parts, hit.id)));
	const nth = matchIndex(matches, hit.nth);
	const row = matches.startRows[nth ?? 0] ?? 0;
	const isAsDrawn = !isCollapsedAgain && !isExpandedBySearch;
	const stream = currentStream(parts);
	setView(view, now => {
		const before = now.scrollStates.get(sessionId) ?? following;
		const inSight = isAsDrawn ? scrollInSight(stream, before, find, row) : undefined;
		const scroll = inSight ?? scrollAtThird(stream, before, hit.id, row);
		const beforeFind = before.isFollowing ? before : (before.beforeFind ?? before);
		return {
			...withScrollState(now, sessionId, scroll.isFollowing ? scroll : {...scroll, beforeFind}),
			find: {
				...find,
				hit: {...hit, ...(nth !== undefined && {nth}), ...(isExpandedBySearch && {isExpandedBySearch})},
			},
		};
	});
}

/**
 * Collapses the message that was expanded for the previous match when moving to another one; returns whether
 * it did.
 */
function collapsePrevious(parts: AppParts, nextId: string): boolean {
	const {view} = parts;
	const {find, expanded} = view.getState();
	const previous = find?.hit;
	if (!previous?.isExpandedBySearch) return false;
	const ids = itemIds(parts, previous.id);
	if (ids.includes(nextId) || !isExpanded(expanded, ids)) return false;
	setView(view, now => withExpanded(now, ids));
	return true;
}

/** Ids of all messages that are drawn as one item with this one. */
function itemIds(parts: AppParts, id: string): readonly string[] {
	const stream = currentStream(parts);
	const item = stream?.items[stream.indexOf(id)];
	return item ? messageIds(item) : [id];
}

/** The current window if it contains the row, otherwise undefined. */
function scrollInSight(
	stream: StreamExtent | undefined,
	before: ScrollState,
	{sessionId, hit}: FindAtHit,
	row: number,
): ScrollState | undefined {
	const position = stream?.sessionId === sessionId ? positionOf(stream, {id: hit.id, line: row}) : undefined;
	if (!stream || !position) return undefined;
	const {index, line} = position;
	const isInSight = windowOf(stream, before).slices.some(
		slice => slice.index === index && line >= slice.from && line < slice.to,
	);
	return isInSight ? withInSight(stream, before, position) : undefined;
}

/**
 * Puts the match a third of the way down the window, or lower near the end, so that the window doesn't move while
 * messages arrive.
 */
function scrollAtThird(
	stream: StreamExtent | undefined,
	before: ScrollState,
	id: string,
	row: number,
): ScrollState {
	const third = Math.floor((stream?.height ?? 0) / 3);
	const top = {id, line: row - third};
	const scroll: ScrollState = {isFollowing: false, top, selected: id, lastSeen: lastSeen(stream, before)};
	const position = stream && positionOf(stream, {id, line: row});
	return position ? withInSight(stream, scroll, position) : scroll;
}

function lastSeen(stream: StreamExtent | undefined, before: ScrollState): string {
	if (!before.isFollowing) return before.lastSeen;
	const {ids = [], pending = 0} = stream ?? {};
	return ids[ids.length - pending - 1] ?? '';
}
