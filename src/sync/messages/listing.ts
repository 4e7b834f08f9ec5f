import {randomId} from '../../../hooks/random-id.ts';
import {RejectedError} from '../../api/errors.ts';
import type {MessageQuery} from '../../api/messages.ts';
import {addNew, walkPages} from '../../api/pages.ts';
import type {Gap} from '../../db/database.ts';
import {routeOf} from '../../domain/known.ts';
import type {Message} from '../../domain/messages/message.ts';
import type {Upserted} from '../../domain/messages/timeline.ts';
import type {Page} from '../../domain/page.ts';
import type {RequestOptions} from '../core/scheduler.ts';
import type {EngineParts} from '../engine-parts.ts';
import type {MessageChanges, MessageWindow} from './message-window.ts';

export type ReadPage = (query: MessageQuery) => Promise<Page<Message>>;

/**
 * A page and how it was fetched. `cursor` fetched it; `nextCursor` is absent at the end. `isCut`: the service
 * says that there is more, but no cursor leads further.
 */
export type WalkedPage = {
	readonly items: readonly Message[];
	readonly cursor?: string;
	readonly nextCursor?: string;
	readonly isCut?: boolean;
	/** The service says that this is the last page. */
	readonly isEnd?: boolean;
};

/** Returns a function that reads pages of a session's messages from its computer, when it is their turn. */
export function createPageReader(
	{scheduler, service, registry}: EngineParts,
	sessionId: string,
	options: RequestOptions & {
		/** Called with the number of items on a page that could not be read. */
		readonly onSkipped?: (count: number) => void;
	},
): ReadPage {
	const readPage: ReadPage = async query => {
		const page = await scheduler.request(
			`session:${sessionId}`,
			signal => service.messages.list(sessionId, query, {signal}),
			options,
		);
		if (page.skipped > 0) options.onSkipped?.(page.skipped);
		return page;
	};
	return query => atComputer(readPage, routeOf(registry.session(sessionId)))(query);
}

/** Asks this computer for pages. Their cursors are good for it alone: any other is rejected without a request. */
export function atComputer(read: ReadPage, computerId: string | undefined): ReadPage {
	const mark = `${computerId ?? ''}|`;
	return async ({cursor, ...query}) => {
		if (cursor !== undefined && !cursor.startsWith(mark))
			throw new RejectedError('The cursor is for another computer.', {hint: 'Start over.', status: 400});
		const page = await read({
			...query,
			computerId,
			cursor: cursor?.slice(mark.length),
		});
		return {...page, nextCursor: page.nextCursor === undefined ? undefined : mark + page.nextCursor};
	};
}

export const fullPage = 100;

/** Pages in a row whose messages were all on earlier pages of the walk: after these, it ends. */
const maxRepeatedPages = 3;

/**
 * Reads a listing page by page from `query` to its end. Pages may be short or empty although more follows; a
 * repeated cursor, many empty pages in a row or repeated ones end the walk. A page that is too large to read is
 * requested in smaller parts.
 */
export async function* walk(read: ReadPage, query: MessageQuery): AsyncGenerator<WalkedPage> {
	const ids = new Set<string>();
	let repeated = 0;
	for await (const {page, cursor, next, end} of walkPages(read, {limit: fullPage, ...query})) {
		if (page.items.filter(({id}) => addNew(ids, id)).length > 0) repeated = 0;
		else if (page.items.length > 0) repeated++;
		const isLooping = next !== undefined && repeated >= maxRepeatedPages;
		yield {
			items: page.items,
			cursor,
			nextCursor: isLooping ? undefined : next,
			isCut: isLooping || end === 'repeated-cursor' || end === 'empty-pages',
			isEnd: end === 'end',
		};
		if (isLooping) return;
	}
}

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
): Promise<void> {
	const newestKnown = messageWindow.timeline.items().at(-1)?.id;
	if (addUntilKnown(messageWindow, first, 'newer', changes, new Set()) || first.nextCursor === undefined)
		return;
	const readIds = idsOf(first);
	const oldestRead = oldestOf(messageWindow, readIds);
	if (!oldestRead) return;
	// Record the gap now: the walk may be cut short, and the next poll would stop at the messages read in this
	// one.
	let gap = addGap(messageWindow, {before: oldestRead, after: newestKnown});
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
export function leadsBack(page: WalkedPage, {added}: Upserted): boolean {
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

/** A page, named by the cursor that fetches it; the first page has none. */
export type PageAt = {readonly cursor?: string};

/** Called after each page of a first walk with the number of messages read so far. */
export type OnWalk = (read: number) => void;

/**
 * Reads a listing whose first page holds the oldest messages: reads the last known page again, with the
 * cursor that fetched it, and any pages after it. The first walk covers all pages and resumes from the last
 * cursor if interrupted. `pagesRead`: first pages of the listing that have already been read.
 */
export async function readOldestFirst(
	messageWindow: MessageWindow,
	read: ReadPage,
	changes: MessageChanges,
	onWalk: OnWalk,
	pagesRead: readonly WalkedPage[] = [],
): Promise<void> {
	const cursor = messageWindow.listing.lastPageCursor;
	const isFirst = !messageWindow.listing.isComplete && !messageWindow.listing.isPruned;
	let count = 0;
	let isCutShort = true;
	const endBatch = isFirst ? messageWindow.startBatch() : undefined;
	try {
		for await (const page of continued(pagesRead, read, {limit: fullPage, cursor})) {
			count += page.items.length;
			isCutShort = page.isEnd !== true;
			messageWindow.addPage(page.items, 'newer', changes);
			if (page.cursor !== messageWindow.listing.lastPageCursor)
				messageWindow.setListingState({lastPageCursor: page.cursor});
			if (isFirst) onWalk(count);
		}
		if (isFirst) messageWindow.setListingState({isComplete: true, isCutShort});
		else if (isCutShort !== (messageWindow.listing.isCutShort ?? false))
			messageWindow.setListingState({isCutShort});
	} finally {
		endBatch?.();
	}
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
