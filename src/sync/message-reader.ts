import {RejectedError} from '../api/errors.ts';
import {insideOrder, type PageDirection, pageDirection} from '../domain/order.ts';
import {type PageAt, readHead} from './head-reader.ts';
import {fullPage, type ReadPage, type WalkedPage, walk} from './listing.ts';
import {addMessageChanges, createMessageChanges, type MessageChanges} from './message-changes.ts';
import type {MessageWindow} from './message-window.ts';
import {addHole, leadsBack, readHole, readTail} from './tail-reader.ts';

/** How a poll is made. `isQuiet`: several polls in a row found nothing; `isActive`: the session is at work. */
export type ReadOptions = {
	readonly now: number;
	readonly isQuiet: boolean;
	readonly isActive: boolean;
	/** During the first walk of a service that lists oldest first: messages read so far. */
	readonly onWalk: (read: number) => void;
};

/** Reads what is new in one session's messages, whatever the order of its listing. */
export type MessageReader = {
	poll(read: ReadPage, options: ReadOptions): Promise<MessageChanges>;
	/** Reads older messages than any known; the changes are empty when there are none. */
	readOlder(read: ReadPage): Promise<MessageChanges>;
	fillGap(read: ReadPage, holeId: string): Promise<MessageChanges>;
	/** Looks again at which end the first page holds. */
	checkDirection(): void;
};

const restLimit = 10;
const pollLimit = 20;
/** With fewer messages than this on the last page, those of the page before may still be changing. */
const fewOnLastPage = 3;

export function createMessageReader(messageWindow: MessageWindow): MessageReader {
	let previousPage: PageAt | undefined;
	let lastCount = 0;
	let isCheckDue = false;
	/** What a poll that failed half-way has brought is told by the next one. */
	let unfinished = createMessageChanges();

	async function readFromHead(
		read: ReadPage,
		changes: MessageChanges,
		options: ReadOptions,
		given?: readonly WalkedPage[],
	): Promise<void> {
		const from = options.isActive && lastCount < fewOnLastPage ? previousPage : undefined;
		const walked = await readHead(messageWindow, read, changes, {
			now: options.now,
			onRead: options.onWalk,
			...(from && {from}),
			...(given && {given}),
		});
		lastCount = walked.lastCount;
		previousPage = walked.previous ?? previousPage;
	}

	/** A cursor that is refused is dropped, and the walk starts again, once. */
	async function pollHead(read: ReadPage, changes: MessageChanges, options: ReadOptions): Promise<void> {
		try {
			await readFromHead(read, changes, options);
		} catch (error) {
			const hasCursor = (previousPage?.cursor ?? messageWindow.listing.lastPageCursor) !== undefined;
			if (!(error instanceof RejectedError) || !hasCursor) throw error;
			previousPage = undefined;
			messageWindow.setListingState({lastPageCursor: undefined, lastPageLimit: undefined, isComplete: false});
			await readFromHead(read, changes, options);
		}
	}

	/** The first reading: two pages tell which end the first one holds. */
	async function detect(read: ReadPage, changes: MessageChanges, options: ReadOptions): Promise<void> {
		// An empty page tells nothing, even when it says that more follows.
		const pages: WalkedPage[] = [];
		let last: WalkedPage | undefined;
		try {
			for await (const page of walk(read, {limit: fullPage})) {
				last = page;
				if (page.items.length > 0) pages.push(page);
				if (pages.length === 2) break;
			}
		} catch (error) {
			if (pages[0]) takeAlone(pages[0], changes, error);
			if (!pages[0] || !(error instanceof RejectedError)) throw error;
			return;
		}
		const [first, second] = pages;
		if (!first || !second) {
			if (first) takeFirst(first, changes, options);
			setStart(undefined);
			messageWindow.setListingState({isCutShort: last?.isEnd !== true});
			return;
		}
		const inside = insideOrder(first.items) ?? messageWindow.listing.inside;
		const direction = pageDirection(first.items, second.items) ?? (inside === 'ascending' ? 'head' : 'tail');
		adopt(direction);
		if (direction === 'head') return readFromHead(read, changes, options, pages);
		takeFirst(first, changes, options);
		const taken = messageWindow.take(second.items, 'older');
		addMessageChanges(changes, taken);
		if (leadsBack(second, taken)) setStart({});
		else setStart(second.nextCursor === undefined ? undefined : {cursor: second.nextCursor});
		if (second.nextCursor === undefined) messageWindow.setListingState({isCutShort: !second.isEnd});
	}

	/**
	 * The first page when the second could not be read. It is worth more than nothing where it likely holds the newest
	 * messages, or when no other is to be had.
	 */
	function takeAlone({items}: WalkedPage, changes: MessageChanges, error: unknown): void {
		const isRefused = error instanceof RejectedError;
		if (!isRefused && (insideOrder(items) ?? messageWindow.listing.inside) === 'ascending') return;
		addMessageChanges(changes, messageWindow.take(items, 'newer'));
		if (isRefused) setStart({});
	}

	function takeFirst(page: WalkedPage, changes: MessageChanges, {now}: ReadOptions): void {
		messageWindow.removeMissing(page.items, {isOldest: page.nextCursor === undefined, isNewest: true}, now);
		addMessageChanges(changes, messageWindow.take(page.items, 'newer'));
	}

	/** What was never read begins before the oldest message known; `undefined`: nothing does. */
	function setStart(unread: PageAt | undefined): void {
		const before = messageWindow.timeline.items()[0]?.id;
		const gaps = (messageWindow.listing.holes ?? []).filter(({after}) => after !== undefined);
		messageWindow.setListingState({holes: gaps, isComplete: unread === undefined && gaps.length === 0});
		if (unread && before !== undefined) addHole(messageWindow, {before, ...unread});
	}

	function adopt(pages: PageDirection): void {
		if (messageWindow.listing.pages === pages) return;
		previousPage = undefined;
		messageWindow.setListingState({
			pages,
			holes: [],
			lastPageCursor: undefined,
			lastPageLimit: undefined,
			roleCursors: undefined,
			assistantUpTo: undefined,
			...(pages === 'head' && {isComplete: false}),
		});
		const before = messageWindow.timeline.items()[0]?.id;
		if (pages === 'tail' && !messageWindow.listing.isComplete && before !== undefined)
			addHole(messageWindow, {before});
	}

	/**
	 * Which end the first page holds, told by where its messages stand among those known. `unclear`: it reaches from
	 * the first known to beyond the last, and more is said to follow.
	 */
	function directionOf({items, nextCursor}: WalkedPage): PageDirection | 'unclear' | undefined {
		const known = messageWindow.timeline.items();
		const newest = known.at(-1);
		const oldest = known[0];
		if (!newest || !oldest || nextCursor === undefined || items.length === 0) return undefined;
		const hasNewest = items.some(
			({id, createdAt = 0}) => id === newest.id || createdAt > (newest.message.createdAt ?? Infinity),
		);
		const hasOldest =
			(!messageWindow.hasOlder && items.some(({id}) => id === oldest.id)) ||
			items.every(({createdAt = Infinity}) => createdAt < (oldest.message.createdAt ?? 0));
		if (hasNewest && hasOldest) return 'unclear';
		if (!hasNewest && !hasOldest) return undefined;
		return hasNewest ? 'tail' : 'head';
	}

	async function firstPage(read: ReadPage, limit: number): Promise<WalkedPage> {
		let last: WalkedPage = {items: []};
		for await (const page of walk(read, {limit})) {
			last = page;
			if (page.items.length > 0) break;
		}
		return last;
	}

	async function readChanges(read: ReadPage, changes: MessageChanges, options: ReadOptions): Promise<void> {
		if (messageWindow.listing.pages === 'head' && !isCheckDue) return pollHead(read, changes, options);
		if (messageWindow.timeline.items().length === 0 && !messageWindow.listing.pages)
			return detect(read, changes, options);
		const first = await firstPage(read, options.isQuiet ? restLimit : pollLimit);
		const direction = directionOf(first);
		isCheckDue = false;
		if (direction === 'unclear' && !messageWindow.listing.pages) return detect(read, changes, options);
		if (direction && direction !== 'unclear') adopt(direction);
		if (messageWindow.listing.pages === 'head') await pollHead(read, changes, options);
		else await readTail(messageWindow, read, first, changes, options.now);
	}

	return {
		async poll(read, options) {
			const changes = unfinished;
			await readChanges(read, changes, options);
			unfinished = createMessageChanges();
			return changes;
		},
		async readOlder(read) {
			const changes = createMessageChanges();
			const start = messageWindow.listing.holes?.find(hole => hole.after === undefined);
			if (start) await readHole(messageWindow, read, start, changes);
			return changes;
		},
		async fillGap(read, holeId) {
			const changes = createMessageChanges();
			const hole = messageWindow.listing.holes?.find(({id}) => id === holeId);
			if (hole) await readHole(messageWindow, read, hole, changes);
			return changes;
		},
		checkDirection() {
			isCheckDue = true;
		},
	};
}
