import type {MessageQuery} from '../../api/messages.ts';
import type {MessageChanges, MessageWindow} from './message-window.ts';
import {fullPage, type ReadPage, type WalkedPage, walk} from './pages.ts';

/** A page, named by the cursor that fetches it; the first page has none. */
export type PageAt = {readonly cursor?: string};

/** Where a walk ended: the page before the last one, and the number of messages on the last page. */
type HeadEnd = {readonly previous?: PageAt; readonly lastCount: number};

type HeadWalk = {
	/** Called after each page of a first walk with the number of messages read so far. */
	readonly onRead?: (read: number) => void;
	/** Starts at the page before the last one, while messages on it may still change. */
	readonly from?: PageAt;
	/** First pages of the listing that have already been read. */
	readonly pagesRead?: readonly WalkedPage[];
	readonly now: number;
};

/**
 * Reads a listing whose first page holds the oldest messages: reads the last known page again, with the
 * cursor that fetched it, and any pages after it. The first walk covers all pages and resumes from the last
 * cursor if interrupted.
 */
export async function readOldestFirst(
	messageWindow: MessageWindow,
	read: ReadPage,
	changes: MessageChanges,
	{onRead, from, pagesRead = [], now}: HeadWalk,
): Promise<HeadEnd> {
	const start = from ?? {cursor: messageWindow.listing.lastPageCursor};
	const isFirst = !messageWindow.listing.isComplete && !messageWindow.listing.isPruned;
	let count = 0;
	let previous: WalkedPage | undefined;
	let last: WalkedPage | undefined;
	const endBatch = isFirst ? messageWindow.startBatch() : undefined;
	try {
		for await (const page of continued(pagesRead, read, {limit: fullPage, ...start})) {
			previous = last;
			last = page;
			count += page.items.length;
			messageWindow.removeMissing(page.items, endsOf(page), now, changes);
			messageWindow.addPage(page.items, 'newer', changes);
			const isBefore = from !== undefined && page.cursor === from.cursor;
			if (!isBefore && page.cursor !== messageWindow.listing.lastPageCursor) {
				messageWindow.setListingState({lastPageCursor: page.cursor});
			}
			if (isFirst) onRead?.(count);
		}
		const isCutShort = last?.isEnd !== true;
		if (isFirst) messageWindow.setListingState({isComplete: true, isCutShort});
		else if (isCutShort !== (messageWindow.listing.isCutShort ?? false))
			messageWindow.setListingState({isCutShort});
	} finally {
		endBatch?.();
	}
	return {lastCount: last?.items.length ?? 0, ...(previous && {previous: atOf(previous)})};
}

function endsOf({cursor, nextCursor}: WalkedPage) {
	return {isOldest: cursor === undefined, isNewest: nextCursor === undefined};
}

function atOf({cursor}: WalkedPage): PageAt {
	return cursor === undefined ? {} : {cursor};
}

/** The pages already read, then those that follow them. */
async function* continued(
	pagesRead: readonly WalkedPage[],
	read: ReadPage,
	query: MessageQuery,
): AsyncGenerator<WalkedPage> {
	yield* pagesRead;
	const last = pagesRead.at(-1);
	if (!last) yield* walk(read, query);
	else if (last.nextCursor !== undefined) yield* walk(read, {...query, cursor: last.nextCursor});
}
