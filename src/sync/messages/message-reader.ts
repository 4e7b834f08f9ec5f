import {AbortError, RejectedError} from '../../api/errors.ts';
import {oldestFirst, type PageOrder, pageOrderOf} from '../../domain/order.ts';
import {addMessageChanges, createMessageChanges, type MessageChanges} from './message-changes.ts';
import type {MessageWindow} from './message-window.ts';
import {addGap, leadsBack, readGap, readNewestFirst} from './newest-first-reader.ts';
import {type PageAt, readOldestFirst} from './oldest-first-reader.ts';
import {fullPage, type ReadPage, type WalkedPage, walk} from './pages.ts';

/** Options of a poll. `isQuiet`: several polls in a row found nothing; `isActive`: the session is at work. */
type ReadOptions = {
	readonly now: number;
	readonly isQuiet: boolean;
	readonly isActive: boolean;
	/** Oldest first: called during the first walk with the number of messages read so far. */
	readonly onWalk: (read: number) => void;
};

export type MessageReader = ReturnType<typeof createMessageReader>;

const restLimit = 10;
const pollLimit = 20;
/** If the last page has fewer messages than this, those on the page before it may still change. */
const fewOnLastPage = 3;

/**
 * Reads new messages of one session, in whichever order the service lists them. `unfinished`: changes that an
 * earlier reader found but didn't report; the next poll includes them.
 */
export function createMessageReader(messageWindow: MessageWindow, unfinished = createMessageChanges()) {
	let previousPage: PageAt | undefined;
	let lastCount = 0;
	let isCheckDue = false;

	async function readFromOldest(
		read: ReadPage,
		changes: MessageChanges,
		options: ReadOptions,
		pagesRead?: readonly WalkedPage[],
	): Promise<void> {
		const from = options.isActive && lastCount < fewOnLastPage ? previousPage : undefined;
		const walked = await readOldestFirst(messageWindow, read, changes, {
			now: options.now,
			onRead: options.onWalk,
			from,
			pagesRead,
		});
		lastCount = walked.lastCount;
		previousPage = walked.previous ?? previousPage;
	}

	/** If the service rejects a cursor, drops it and restarts the walk, once. */
	async function pollOldestFirst(
		read: ReadPage,
		changes: MessageChanges,
		options: ReadOptions,
	): Promise<void> {
		try {
			await readFromOldest(read, changes, options);
		} catch (error) {
			const hasCursor = (previousPage?.cursor ?? messageWindow.listing.lastPageCursor) !== undefined;
			if (!(error instanceof RejectedError) || !hasCursor) throw error;
			previousPage = undefined;
			messageWindow.rereadFromOldest();
			await readFromOldest(read, changes, options);
		}
	}

	/** The first poll: finds the order of the pages by comparing two pages. */
	async function detect(read: ReadPage, changes: MessageChanges, options: ReadOptions): Promise<void> {
		// An empty page proves nothing, even if more follows.
		const pages: WalkedPage[] = [];
		let last: WalkedPage | undefined;
		try {
			for await (const page of walk(read, {limit: fullPage})) {
				last = page;
				if (page.items.length > 0) pages.push(page);
				if (pages.length === 2) break;
			}
		} catch (error) {
			if (pages[0]) addOnlyPage(pages[0], changes, error);
			if (!pages[0] || !(error instanceof RejectedError)) throw error;
			return;
		}
		const [first, second] = pages;
		if (!first || !second) {
			const only = first ?? last;
			if (only) addFirstPage(only, changes, options);
			setStart(undefined);
			messageWindow.setListingState({isCutShort: last?.isEnd !== true});
			return;
		}
		const pageOrder = pageOrderOf(first.items, second.items) ?? 'newest-first';
		setPageOrder(pageOrder);
		if (pageOrder === 'oldest-first') return readFromOldest(read, changes, options, pages);
		addFirstPage(first, changes, options);
		const upserted = messageWindow.addPage(second.items, 'older');
		addMessageChanges(changes, upserted);
		if (leadsBack(second, upserted)) setStart({});
		else setStart(second.nextCursor === undefined ? undefined : {cursor: second.nextCursor});
		if (second.nextCursor === undefined) messageWindow.setListingState({isCutShort: !second.isEnd});
	}

	/** Takes the first page alone if it likely has the newest messages, or no other can be read. */
	function addOnlyPage({items}: WalkedPage, changes: MessageChanges, error: unknown): void {
		// The read may have been aborted because the session was forgotten.
		if (error instanceof AbortError) return;
		const isRefused = error instanceof RejectedError;
		if (!isRefused && oldestFirst(items) === items) return;
		addMessageChanges(changes, messageWindow.addPage(items, 'newer'));
		if (isRefused) setStart({});
	}

	function addFirstPage(page: WalkedPage, changes: MessageChanges, {now}: ReadOptions): void {
		const ends = {isOldest: page.nextCursor === undefined, isNewest: true};
		if (messageWindow.removeMissing(page.items, ends, now)) changes.isReshaped = true;
		addMessageChanges(changes, messageWindow.addPage(page.items, 'newer'));
	}

	/** Records what is unread before the oldest known message, from `unread` on; `undefined` if nothing is. */
	function setStart(unread: PageAt | undefined): void {
		const before = messageWindow.timeline.items()[0]?.id;
		const gaps = (messageWindow.listing.gaps ?? []).filter(({after}) => after !== undefined);
		messageWindow.setListingState({gaps, isComplete: unread === undefined && gaps.length === 0});
		if (unread && before !== undefined) addGap(messageWindow, {before, ...unread});
	}

	function setPageOrder(pageOrder: PageOrder): void {
		if (messageWindow.listing.pageOrder === pageOrder) return;
		previousPage = undefined;
		messageWindow.setListingState({
			pageOrder,
			gaps: [],
			lastPageCursor: undefined,
			roleCursors: undefined,
			isPruned: undefined,
			...(pageOrder === 'oldest-first' && {isComplete: false}),
		});
		const before = messageWindow.timeline.items()[0]?.id;
		if (pageOrder === 'newest-first' && !messageWindow.listing.isComplete && before !== undefined)
			addGap(messageWindow, {before});
	}

	/**
	 * Order of the pages, judged by where the page's messages are among the known ones. `either`: the page spans
	 * all known messages, and more pages follow.
	 */
	function orderOf({items, nextCursor}: WalkedPage): PageOrder | 'either' | undefined {
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
		if (hasNewest && hasOldest) return 'either';
		if (!hasNewest && !hasOldest) return undefined;
		return hasNewest ? 'newest-first' : 'oldest-first';
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
		if (messageWindow.listing.pageOrder === 'oldest-first' && !isCheckDue)
			return pollOldestFirst(read, changes, options);
		const isEmpty = messageWindow.timeline.items().length === 0;
		if (!messageWindow.listing.pageOrder && isEmpty) return detect(read, changes, options);
		const first = await firstPage(read, options.isQuiet ? restLimit : pollLimit);
		const pageOrder = orderOf(first);
		isCheckDue = false;
		if (pageOrder === 'either' && !messageWindow.listing.pageOrder) return detect(read, changes, options);
		if (pageOrder && pageOrder !== 'either') setPageOrder(pageOrder);
		if (messageWindow.listing.pageOrder === 'oldest-first') await pollOldestFirst(read, changes, options);
		else await readNewestFirst(messageWindow, read, first, changes, options.now);
	}

	return {
		async poll(read: ReadPage, options: ReadOptions): Promise<MessageChanges> {
			const changes = unfinished;
			await readChanges(read, changes, options);
			unfinished = createMessageChanges();
			return changes;
		},
		/**
		 * Reads the newest `count` messages again after a poll, as others than the very newest may have changed. If the oldest
		 * come first, reads all.
		 */
		async reread(read: ReadPage, count: number, changes: MessageChanges): Promise<void> {
			let left = count;
			for await (const {items} of walk(read, {limit: fullPage})) {
				addMessageChanges(changes, messageWindow.addReread(items));
				left -= items.length;
				if (messageWindow.listing.pageOrder !== 'oldest-first' && left <= 0) break;
			}
		},
		/** Reads messages older than any known; the changes are empty if there are none. */
		async readOlder(read: ReadPage): Promise<MessageChanges> {
			const changes = createMessageChanges();
			const start = messageWindow.listing.gaps?.find(({after}) => after === undefined);
			if (start) await readGap(messageWindow, read, start, changes);
			return changes;
		},
		async fillGap(read: ReadPage, gapId: string): Promise<MessageChanges> {
			const changes = createMessageChanges();
			const gap = messageWindow.listing.gaps?.find(({id}) => id === gapId);
			if (gap) await readGap(messageWindow, read, gap, changes);
			return changes;
		},
		/** Makes the next poll check again whether the first page has the oldest or the newest messages. */
		checkPageOrder() {
			isCheckDue = true;
		},
	};
}
