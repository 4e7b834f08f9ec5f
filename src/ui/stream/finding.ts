import type {Find} from '../../state/find.ts';
import {following, type Reading} from '../../state/reading.ts';
import {withExpanded, withReading} from '../../state/view.ts';
import {foundPattern, holdsFound} from '../../text/found.ts';
import {setView} from '../set-view.ts';
import {openSession} from '../show.ts';
import type {AppParts} from '../use-app.ts';
import {itemRows} from './item-rows.ts';
import {isHidden, streamItems} from './stream-items.ts';

/**
 * Looks for other words, and goes to the newest message that holds them at or above the one the reader was at. It is
 * drawn when the first are found, and goes on to the oldest meanwhile.
 */
export function findWords(parts: AppParts, sessionId: string, words: string, isTyping: boolean): void {
	const before = findIn(parts, sessionId);
	const from = before?.isTyping ? before.from : readerAt(parts, sessionId);
	const begun = {sessionId, words, isTyping, count: 0, at: -1, isLooking: true, ...(from && {from})};
	look(parts, begun, (find, nearest) => {
		if (find.at >= 0 || nearest === undefined) setView(parts.view, view => ({...view, find}));
		else goToHit(parts, {...find, at: nearest});
	});
}

/** Goes to the next hit (the one before when `by` is -1), around the ends once they are known. */
export function moveFind(parts: AppParts, by: 1 | -1): void {
	const {find} = parts.view.getState();
	if (!find || find.at < 0) return;
	const at = find.at - by;
	const {count, isLooking} = find;
	if (!isLooking || (at >= 0 && at < count)) goToHit(parts, {...find, at: (at + count) % count});
}

/** Opens a session at a message that a search over all sessions found. */
export function openAtMessage(parts: AppParts, sessionId: string, messageId: string, words: string): void {
	openSession(parts, sessionId, 'main');
	const begun = {sessionId, words, isTyping: false, isLooking: true, from: messageId, count: 1, at: 0};
	goTo(parts, begun, messageId);
	let isPlaced = false;
	look(parts, begun, (find, nearest) => {
		const isHere = nearest !== undefined && parts.actions.search.idAt(nearest) === messageId;
		// Until it is among what was found it is the only one that is known.
		const place = isPlaced ? {} : isHere ? {at: nearest} : {count: begun.count, at: begun.at};
		isPlaced ||= isHere;
		setView(parts.view, view => ({...view, find: {...find, ...place}}));
	});
}

/** Ends what is looked for in the session, and the marks of it. */
export function endFind({actions, view}: AppParts): void {
	actions.search.endInSession();
	setView(view, ({find: _, ...now}) => now);
}

/** `told` gets what was found so far, while nobody looks for anything else. */
function look(parts: AppParts, begun: Find, told: (find: Find, nearest?: number) => void): void {
	let isBegun = false;
	parts.actions.search.inSession(begun.sessionId, begun.words, begun.from, ({count, nearest, isOver}) => {
		const find = isBegun ? findIn(parts, begun.sessionId) : begun;
		isBegun = true;
		if (find?.words === begun.words) told({...find, count, isLooking: !isOver}, nearest);
	});
}

function findIn({view}: AppParts, sessionId: string): Find | undefined {
	const {find} = view.getState();
	return find?.sessionId === sessionId ? find : undefined;
}

function readerAt({view}: AppParts, sessionId: string): string | undefined {
	const reading = view.getState().readings.get(sessionId) ?? following;
	return reading.isFollowing ? undefined : reading.selected;
}

function goToHit(parts: AppParts, find: Find): void {
	const id = parts.actions.search.idAt(find.at);
	if (id === undefined) setView(parts.view, view => ({...view, find}));
	else goTo(parts, find, id);
}

function goTo(parts: AppParts, find: Find, id: string): void {
	setView(parts.view, view => ({...view, find}));
	parts.actions.engine.showMessage(find.sessionId, id);
	const row = rowOf(parts, find, id);
	const third = Math.floor((parts.sizes.stream?.height ?? 0) / 3);
	setView(parts.view, view => {
		const before = view.readings.get(find.sessionId) ?? following;
		const top = {id, line: row - third};
		const reading: Reading = {isFollowing: false, top, selected: id, lastSeen: lastSeen(parts, before)};
		return withReading(view, find.sessionId, reading);
	});
}

function lastSeen({sizes}: AppParts, before: Reading): string {
	if (!before.isFollowing) return before.lastSeen;
	const {ids = [], pending = 0} = sizes.stream ?? {};
	return ids[ids.length - pending - 1] ?? '';
}

/** The row of a message, its lead not counted, that holds what was found; what hides it is shown or unfolded. */
function rowOf(parts: AppParts, {sessionId, words}: Find, id: string): number {
	const {stores, rows, sizes, view, keys} = parts;
	const pattern = foundPattern(words);
	const entry = stores.streams
		.getState()
		.open.get(sessionId)
		?.entries.find(one => one.id === id);
	const outbox = stores.outbox.getState().bySession.get(sessionId) ?? [];
	if (entry && isHidden(entry)) setView(view, now => ({...now, showsHidden: true}));
	const [item] = streamItems(entry ? [entry] : [], outbox, true);
	if (!entry || !item || !pattern || !sizes.stream) return 0;
	const {width} = sizes.stream;
	const isExpanded = view.getState().expanded.has(id);
	const row = itemRows(rows, item, width, isExpanded, keys).findIndex(line => holdsFound(line, pattern));
	if (row >= 0 || isExpanded) return Math.max(0, row);
	const unfolded = itemRows(rows, item, width, true, keys).findIndex(line => holdsFound(line, pattern));
	if (unfolded < 0) return 0;
	setView(view, now => withExpanded(now, id));
	return unfolded;
}
