import {type Find, hitsAtMost} from '../../state/find.ts';
import {following, type Reading} from '../../state/reading.ts';
import {withExpanded, withReading} from '../../state/view.ts';
import {foundPattern, holdsFound} from '../../text/found.ts';
import {setView} from '../set-view.ts';
import {openSession} from '../show.ts';
import type {AppParts} from '../use-app.ts';
import {itemRows} from './item-rows.ts';
import {isHidden, streamItems} from './stream-items.ts';

/** Looks for other words, and goes to the newest message that holds them, at or above the selected one. */
export function findWords(parts: AppParts, sessionId: string, words: string, isTyping: boolean): void {
	const hits = parts.actions.search.inSession(sessionId, words, hitsAtMost);
	goToHit(parts, {sessionId, words, isTyping, hits, at: startAmong(parts, sessionId, hits)});
}

/** Goes to the next hit (the one before when `by` is -1), around the ends. */
export function moveFind(parts: AppParts, by: 1 | -1): void {
	const {find} = parts.view.getState();
	if (!find || find.hits.length === 0) return;
	goToHit(parts, {...find, at: (find.at + by + find.hits.length) % find.hits.length});
}

/** Opens a session at a message that a search over all sessions found. */
export function openAtMessage(parts: AppParts, sessionId: string, messageId: string, words: string): void {
	openSession(parts, sessionId, 'main');
	const hits = parts.actions.search.inSession(sessionId, words, hitsAtMost);
	const at = hits.indexOf(messageId);
	goToHit(parts, {sessionId, words, isTyping: false, hits: at < 0 ? [messageId] : hits, at: Math.max(0, at)});
}

function startAmong({view, sizes}: AppParts, sessionId: string, hits: readonly string[]): number {
	const {stream} = sizes;
	const reading = view.getState().readings.get(sessionId) ?? following;
	const places = new Map(hits.map((id, index) => [id, index]));
	if (stream?.sessionId === sessionId && !reading.isFollowing)
		for (let index = stream.ids.lastIndexOf(reading.selected); index >= 0; index--) {
			const place = places.get(stream.ids[index] ?? '');
			if (place !== undefined) return place;
		}
	return hits.length - 1;
}

function goToHit(parts: AppParts, find: Find): void {
	setView(parts.view, view => ({...view, find}));
	const id = find.hits[find.at];
	if (id === undefined) return;
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
	const {stores, rows, sizes, view} = parts;
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
	const row = itemRows(rows, item, width, isExpanded).findIndex(line => holdsFound(line, pattern));
	if (row >= 0 || isExpanded) return Math.max(0, row);
	const unfolded = itemRows(rows, item, width, true).findIndex(line => holdsFound(line, pattern));
	if (unfolded < 0) return 0;
	setView(view, now => withExpanded(now, id));
	return unfolded;
}
