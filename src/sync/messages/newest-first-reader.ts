import {randomId} from '../../../hooks/random-id.ts';
import {RejectedError} from '../../api/errors.ts';
import type {Gap} from '../../db/database.ts';
import type {Upserted} from '../../domain/messages/timeline.ts';
import type {MessageChanges, MessageWindow} from './message-window.ts';
import {fullPage, type ReadPage, type WalkedPage, walk} from './pages.ts';

/** Maximum pages per poll; what remains up to the known messages is a gap, filled on demand. */
const catchUpPages = 3;

/**
 * Reads a listing whose first page holds the newest messages. If that page, `first`, contains a known and
 * unchanged message, the poll is done. `first` was read with a small limit.
 */
export async function readNewestFirst(
	messageWindow: MessageWindow,
	read: ReadPage,
	first: WalkedPage,
	changes: MessageChanges,
	now: number,
): Promise<void> {
	const newestKnown = messageWindow.timeline.items().at(-1)?.id;
	const ends = {isOldest: first.nextCursor === undefined, isNewest: true};
	messageWindow.removeMissing(first.items, ends, now, changes);
	if (addUntilKnown(messageWindow, first, 'newer', changes, new Set()) || first.nextCursor === undefined)
		return;
	const readIds = idsOf(first);
	const oldestRead = oldestOf(messageWindow, readIds);
	if (!oldestRead) return;
	// Record the gap now: the walk may be cut short, and the next poll would stop at the messages read in this
	// one.
	let gap = addGap(messageWindow, {before: oldestRead, ...(newestKnown && {after: newestKnown})});
	changes.isReshaped = true;
	// Start over, as a cursor can't be used with a different limit.
	let pages = 0;
	for await (const page of walk(read, {limit: fullPage})) {
		const isMet = addUntilKnown(messageWindow, page, pages === 0 ? 'newer' : 'older', changes, readIds);
		if (isMet || (page.nextCursor === undefined && !page.isCut)) {
			replaceGap(messageWindow, gap.id, undefined);
			return;
		}
		for (const id of idsOf(page)) readIds.add(id);
		gap = {...gap, before: oldestOf(messageWindow, readIds) ?? gap.before, cursor: page.nextCursor};
		replaceGap(messageWindow, gap.id, gap);
		if (++pages === catchUpPages) return;
	}
}

/** Takes a page; returns whether it has messages known before this poll, which has read `readIds` so far. */
function addUntilKnown(
	messageWindow: MessageWindow,
	page: WalkedPage,
	side: 'older' | 'newer',
	changes: MessageChanges,
	readIds: ReadonlySet<string>,
): boolean {
	return messageWindow.addPage(page.items, side, changes).unchanged.some(id => !readIds.has(id));
}

function idsOf(page: WalkedPage): Set<string> {
	return new Set(page.items.map(({id}) => id));
}

function oldestOf(messageWindow: MessageWindow, ids: ReadonlySet<string>): string | undefined {
	return messageWindow.timeline.items().find(({id}) => ids.has(id))?.id;
}

export function addGap(messageWindow: MessageWindow, bounds: Omit<Gap, 'id'>): Gap {
	const gap = {id: randomId(), ...bounds};
	messageWindow.setListingState({gaps: [...(messageWindow.listing.gaps ?? []), gap]});
	return gap;
}

/**
 * Reads the page just before a gap's newer end. The gap shrinks, or closes when the page reaches known
 * messages or the start of the history.
 */
export async function readGap(
	messageWindow: MessageWindow,
	read: ReadPage,
	gap: Gap,
	changes: MessageChanges,
): Promise<void> {
	let hasAdded = false;
	for await (const page of pagesBefore(messageWindow, read, gap)) {
		const upserted = messageWindow.addPage(page.items, 'older', changes);
		const isMet = gap.after !== undefined && isReaching(messageWindow, page, gap.after);
		hasAdded ||= upserted.added.length > 0;
		if (isMet || page.nextCursor === undefined) {
			const isBack = !isMet && leadsBack(page, upserted);
			replaceGap(messageWindow, gap.id, isBack ? {...gap, cursor: undefined} : undefined);
			if (!isMet) messageWindow.setListingState({isCutShort: !page.isEnd});
			break;
		}
		const before = oldestOf(messageWindow, idsOf(page)) ?? gap.before;
		gap = {...gap, before, cursor: page.nextCursor};
		replaceGap(messageWindow, gap.id, gap);
		if (hasAdded) break;
	}
	changes.isReshaped = true;
}

/** Whether a repeated cursor led back to known messages: the history doesn't end there. */
export function leadsBack(page: WalkedPage, {added}: Pick<Upserted, 'added'>): boolean {
	return page.isCut === true && page.items.length > 0 && added.length === 0;
}

/** Pages from the gap's cursor on; if the service rejects it, from the start of the listing. */
async function* pagesBefore(
	messageWindow: MessageWindow,
	read: ReadPage,
	gap: Gap,
): AsyncGenerator<WalkedPage> {
	if (gap.cursor !== undefined) {
		try {
			yield* walk(read, {limit: fullPage, cursor: gap.cursor});
			return;
		} catch (error) {
			if (!(error instanceof RejectedError)) throw error;
			replaceGap(messageWindow, gap.id, {...gap, cursor: undefined});
		}
	}
	let hasReached = false;
	for await (const page of walk(read, {limit: fullPage})) {
		hasReached ||= isReaching(messageWindow, page, gap.before);
		if (hasReached || page.nextCursor === undefined) yield page;
	}
}

/** Whether the page contains the known message or an older one. */
function isReaching(messageWindow: MessageWindow, page: WalkedPage, known: string): boolean {
	const time = messageWindow.timeline.get(known)?.message.createdAt;
	return page.items.some(({id, createdAt}) => id === known || (time && createdAt && createdAt < time));
}

function replaceGap(messageWindow: MessageWindow, id: string, next: Gap | undefined): void {
	const before = messageWindow.listing.gaps ?? [];
	if (!before.some(gap => gap.id === id)) return;
	const gaps = before.flatMap(gap => (gap.id !== id ? [gap] : (next ?? [])));
	messageWindow.setListingState({gaps, isComplete: gaps.length === 0});
}
