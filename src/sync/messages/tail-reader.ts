import {randomId} from '../../../hooks/random-id.ts';
import {RejectedError} from '../../api/errors.ts';
import type {Hole} from '../../db/database.ts';
import type {Upserted} from '../../domain/messages/timeline.ts';
import {fullPage, type ReadPage, type WalkedPage, walk} from '../core/read-list.ts';
import {addMessageChanges, type MessageChanges} from './message-changes.ts';
import type {MessageWindow} from './message-window.ts';

/** Maximum pages per poll; what remains up to the known messages is a gap, filled on demand. */
const catchUpPages = 3;

/**
 * Reads a listing whose first page holds the newest messages. If that page, `first`, contains a known and
 * unchanged message, the poll is done. `first` was read with a small limit.
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
	if (takeUntilKnown(messageWindow, first, 'newer', changes, new Set()) || first.nextCursor === undefined)
		return;
	const taken = idsOf(first);
	const oldestTaken = oldestOf(messageWindow, taken);
	if (!oldestTaken) return;
	// Record the gap now: the walk may be cut short, and the next poll would stop at the messages read in this
	// one.
	let gap = addHole(messageWindow, {before: oldestTaken, ...(newestKnown && {after: newestKnown})});
	changes.isReshaped = true;
	// Start over, as a cursor can't be used with a different limit.
	let pages = 0;
	for await (const page of walk(read, {limit: fullPage})) {
		const isMet = takeUntilKnown(messageWindow, page, pages === 0 ? 'newer' : 'older', changes, taken);
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

/**
 * Takes a page; returns whether it contains messages known before this poll. `taken`: ids taken in this poll.
 */
function takeUntilKnown(
	messageWindow: MessageWindow,
	page: WalkedPage,
	side: 'older' | 'newer',
	changes: MessageChanges,
	taken: ReadonlySet<string>,
): boolean {
	const upserted = messageWindow.take(page.items, side);
	addMessageChanges(changes, upserted);
	return upserted.unchanged.some(id => !taken.has(id));
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
 * Reads the page just before a gap's newer end. The gap shrinks, or closes when the page reaches known
 * messages or the start of the history. Returns whether any message was added.
 */
export async function readHole(
	messageWindow: MessageWindow,
	read: ReadPage,
	hole: Hole,
	changes: MessageChanges,
): Promise<boolean> {
	let hasAdded = false;
	for await (const page of pagesBefore(messageWindow, read, hole)) {
		const taken = messageWindow.take(page.items, 'older');
		addMessageChanges(changes, taken);
		const isMet = hole.after !== undefined && isReaching(messageWindow, page, hole.after);
		hasAdded ||= taken.added.length > 0;
		if (isMet || page.nextCursor === undefined) {
			const isBack = !isMet && leadsBack(page, taken);
			replaceHole(messageWindow, hole.id, isBack ? {...hole, cursor: undefined} : undefined);
			if (!isMet) messageWindow.setListingState({isCutShort: !page.isEnd});
			break;
		}
		const before = oldestOf(messageWindow, idsOf(page)) ?? hole.before;
		hole = {...hole, before, cursor: page.nextCursor};
		replaceHole(messageWindow, hole.id, hole);
		if (hasAdded) break;
	}
	changes.isReshaped = true;
	return hasAdded;
}

/** Whether a repeated cursor led back to known messages: the history doesn't end there. */
export function leadsBack(page: WalkedPage, {added}: Pick<Upserted, 'added'>): boolean {
	return page.isCut === true && page.items.length > 0 && added.length === 0;
}

/** Pages from the gap's cursor on; if the service rejects it, from the start of the listing. */
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
	let hasReached = false;
	for await (const page of walk(read, {limit: fullPage})) {
		hasReached ||= isReaching(messageWindow, page, hole.before);
		if (hasReached || page.nextCursor === undefined) yield page;
	}
}

/** Whether the page contains the known message or an older one. */
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
