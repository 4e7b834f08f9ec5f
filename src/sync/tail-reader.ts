import {randomId} from '../../hooks/random-id.ts';
import {RejectedError} from '../api/errors.ts';
import type {Hole} from '../db/database.ts';
import type {Upserted} from '../domain/timeline.ts';
import {fullPage, type ReadPage, type WalkedPage, walk} from './listing.ts';
import {addMessageChanges, type MessageChanges} from './message-changes.ts';
import type {MessageWindow} from './message-window.ts';

/** Pages read in one go before what lies between is left as a gap to be filled when it is looked at. */
const catchUpPages = 3;

/**
 * Reads a listing whose first page holds the newest messages: a known and unchanged message in the first page ends the
 * poll. `first` is that page, read with a small limit.
 */
export async function readTail(
	messageWindow: MessageWindow,
	read: ReadPage,
	first: WalkedPage,
	changes: MessageChanges,
	now: number,
): Promise<void> {
	const newestKnown = messageWindow.timeline.items().at(-1)?.id;
	if (
		messageWindow.removeMissing(first.items, {isOldest: first.nextCursor === undefined, isNewest: true}, now)
	)
		changes.isReshaped = true;
	if (takeAndMeet(messageWindow, first, changes, new Set()) || first.nextCursor === undefined) return;
	const taken = idsOf(first);
	const oldestTaken = oldestOf(messageWindow, taken);
	if (!oldestTaken) return;
	// What lies between is a gap from here on: the walk may be cut short, and the next poll would meet what this one read.
	let gap = addHole(messageWindow, {before: oldestTaken, ...(newestKnown && {after: newestKnown})});
	changes.isReshaped = true;
	// Read again from the start: a cursor is not used with another limit than the one it came from.
	let pages = 0;
	for await (const page of walk(read, {limit: fullPage})) {
		const isMet = takeAndMeet(messageWindow, page, changes, taken);
		if (isMet || (page.nextCursor === undefined && !page.isCut)) {
			replaceHole(messageWindow, gap.id, undefined);
			return;
		}
		for (const id of idsOf(page)) taken.add(id);
		gap = {...gap, before: oldestOf(messageWindow, taken) ?? gap.before, cursor: page.nextCursor};
		replaceHole(messageWindow, gap.id, gap);
		if (++pages === catchUpPages) return;
	}
}

/** Takes a page in; answers whether it met what was known before this poll. `taken`: what this poll took before. */
function takeAndMeet(
	messageWindow: MessageWindow,
	page: WalkedPage,
	changes: MessageChanges,
	taken: ReadonlySet<string>,
): boolean {
	const brought = messageWindow.take(page.items, 'newer');
	addMessageChanges(changes, brought);
	return brought.unchanged.some(id => !taken.has(id));
}

function idsOf(page: WalkedPage): Set<string> {
	return new Set(page.items.map(({id}) => id));
}

function oldestOf(messageWindow: MessageWindow, ids: ReadonlySet<string>): string | undefined {
	return messageWindow.timeline.items().find(({id}) => ids.has(id))?.id;
}

export function addHole(messageWindow: MessageWindow, place: Omit<Hole, 'id'>): Hole {
	const hole = {id: randomId(), ...place};
	messageWindow.setListingState({holes: [...(messageWindow.listing.holes ?? []), hole]});
	return hole;
}

/**
 * Reads the page just before a hole's newer end. The hole shrinks, or closes when the page meets what is known or
 * the history begins. Answers whether anything came.
 */
export async function readHole(
	messageWindow: MessageWindow,
	read: ReadPage,
	hole: Hole,
	changes: MessageChanges,
): Promise<boolean> {
	let isAnything = false;
	for await (const page of pagesBefore(messageWindow, read, hole)) {
		const taken = messageWindow.take(page.items, 'older');
		addMessageChanges(changes, taken);
		const isMet = hole.after !== undefined && isReaching(messageWindow, page, hole.after);
		isAnything ||= taken.added.length > 0;
		if (isMet || page.nextCursor === undefined) {
			const isBack = !isMet && leadsBack(page, taken);
			replaceHole(messageWindow, hole.id, isBack ? {...hole, cursor: undefined} : undefined);
			if (!isMet) messageWindow.setListingState({isCutShort: !page.isEnd});
			break;
		}
		const before = oldestOf(messageWindow, idsOf(page)) ?? hole.before;
		hole = {...hole, before, cursor: page.nextCursor};
		replaceHole(messageWindow, hole.id, hole);
		if (isAnything) break;
	}
	changes.isReshaped = true;
	return isAnything;
}

/** A cursor that came again led to messages known before: no history ends with those. */
export function leadsBack(page: WalkedPage, {added}: Pick<Upserted, 'added'>): boolean {
	return page.isCut === true && page.items.length > 0 && added.length === 0;
}

/** From the hole's cursor; a refused one is dropped once and the listing walked from its start to the hole. */
async function* pagesBefore(
	messageWindow: MessageWindow,
	read: ReadPage,
	hole: Hole,
): AsyncGenerator<WalkedPage> {
	if (hole.cursor !== undefined) {
		try {
			yield* walk(read, {limit: fullPage, cursor: hole.cursor});
			return;
		} catch (error) {
			if (!(error instanceof RejectedError)) throw error;
			replaceHole(messageWindow, hole.id, {...hole, cursor: undefined});
		}
	}
	let isThere = false;
	for await (const page of walk(read, {limit: fullPage})) {
		isThere ||= isReaching(messageWindow, page, hole.before);
		if (isThere || page.nextCursor === undefined) yield page;
	}
}

/** Does the page hold a message that is known, or one from before it? */
function isReaching(messageWindow: MessageWindow, page: WalkedPage, known: string): boolean {
	const time = messageWindow.timeline.get(known)?.message.createdAt;
	return page.items.some(({id, createdAt}) => id === known || (time && createdAt && createdAt < time));
}

function replaceHole(messageWindow: MessageWindow, id: string, next: Hole | undefined): void {
	const before = messageWindow.listing.holes ?? [];
	if (!before.some(hole => hole.id === id)) return;
	const holes = before.flatMap(hole => (hole.id !== id ? [hole] : (next ?? [])));
	messageWindow.setListingState({holes, isComplete: holes.length === 0});
}
