import {AbortError, RejectedError} from '../../api/errors.ts';
import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';
import {oldestFirst, type PageOrder, pageOrderOf, type TimelineItem} from '../../domain/messages/timeline.ts';
import type {SafeWrite} from '../core/safe-write.ts';
import type {ActivityReading} from './activity-recorder.ts';
import {
	addGap,
	fullPage,
	leadsBack,
	type OnWalk,
	type PageAt,
	type ReadPage,
	readGap,
	readNewestFirst,
	readOldestFirst,
	type WalkedPage,
	walk,
} from './listing.ts';
import {createMessageChanges, type MessageChanges, MessageWindow} from './message-window.ts';
import {createRoleReader, type RoleProgress, type RoleReader} from './role-reader.ts';

/** Number of newest messages to infer the state of a session's turn from. */
export const newestRead = 50;
const restLimit = 10;
const pollLimit = 20;

export type ThreadOptions = {
	readonly sessionId: string;
	readonly database: Database;
	readonly safeWrite: SafeWrite;
	readonly clock: Clock;
	/** Of earlier threads of the session. */
	readonly progress?: ThreadProgress;
};

export type ThreadProgress = {
	/** Changes found by a read that failed halfway. */
	unfinished?: MessageChanges | undefined;
	readonly roles: RoleProgress;
};

/** Options of a poll. `isQuiet`: several polls in a row found nothing. */
type PollOptions = {
	readonly isQuiet?: boolean;
	/** Oldest first: called during the first walk with the number of messages read so far. */
	readonly onWalk?: OnWalk;
};

/** `isWhole`: the service provided everything requested. `hasOlder`: it has older ones. `reading`: for the state. */
export type NewestMessages = {
	readonly items: readonly TimelineItem[];
	readonly isWhole: boolean;
	readonly hasOlder: boolean;
	readonly reading?: ActivityReading;
};

/** One session's messages: what is known of them, and reading the rest, in whichever order the service lists them. */
export class Thread {
	readonly window: MessageWindow;
	readonly roles: RoleReader;
	/** Changes found by a poll that failed halfway; the next one includes them. */
	#unfinished: MessageChanges;
	#isCheckDue = false;

	constructor(options: ThreadOptions) {
		const {sessionId, database, safeWrite, clock, progress} = options;
		this.window = new MessageWindow(sessionId, database, safeWrite);
		this.#unfinished = progress?.unfinished ?? createMessageChanges();
		this.roles = createRoleReader({
			messageWindow: this.window,
			clock,
			ownIds() {
				const posted = unlessStorageFails(() => database.outbox.ofSession(sessionId)) ?? [];
				return new Set(posted.flatMap(({messageId}) => messageId ?? []));
			},
			progress: progress?.roles,
		});
	}

	/** The messages in memory, in display order. */
	items(): readonly TimelineItem[] {
		return this.window.timeline.items();
	}

	/** Those of the messages in memory that have these ids, each once. */
	itemsOf(ids: Iterable<string>): readonly TimelineItem[] {
		return [...new Set(ids)].flatMap(id => this.window.timeline.get(id) ?? []);
	}

	/** Reads what is new. */
	async poll(
		read: ReadPage,
		{isQuiet = false, onWalk = () => {}}: PollOptions = {},
	): Promise<MessageChanges> {
		const changes = this.#unfinished;
		await this.#readChanges(read, changes, {isQuiet, onWalk});
		this.#unfinished = createMessageChanges();
		return changes;
	}

	/** Polls, and reads who wrote the messages. Returns those new or changed since the last call, in display order. */
	async update(
		read: ReadPage,
	): Promise<{readonly items: readonly TimelineItem[]; readonly reading: ActivityReading}> {
		const changes = await this.poll(read);
		const resolved = await this.roles.resolve(read, this.items());
		const isChanged = ({id}: TimelineItem) =>
			changes.added.has(id) || changes.changed.has(id) || resolved.has(id);
		return {items: this.items().filter(isChanged), reading: this.readingOf(changes)};
	}

	/** Describes the newest messages after a poll that found these changes. */
	readingOf({added, changed}: MessageChanges) {
		const items = this.items();
		return {
			messages: items.slice(-newestRead),
			isWhole: !this.window.hasOlder && items.length <= newestRead,
			changed: new Set([...added, ...changed]),
			stored: this.window.stored,
		};
	}

	/**
	 * Polls, and returns the newest `count` messages, reading as far back as needed. All of them (`Infinity`) are read
	 * again, as any may have changed.
	 */
	async newest(read: ReadPage, count: number): Promise<NewestMessages> {
		const {window} = this;
		const cached = window.stored.count;
		const changes = await this.poll(read);
		if (count === Number.POSITIVE_INFINITY && cached > 0)
			await this.reread(read, cached, createMessageChanges());
		let newest = window.entries().slice(-count);
		while (
			(newest.length < count || newest.some(({kind}) => kind === 'gap')) &&
			(await this.#stepBack(read, count))
		)
			newest = window.entries().slice(-count);
		const ids = newest.flatMap(({kind, id}) => (kind === 'message' ? [id] : []));
		await this.roles.resolve(read, this.itemsOf(ids));
		const {pageOrder, isCutShort = false} = window.listing;
		// Oldest first, a listing that is cut short lacks the newest messages.
		const isShort = isCutShort && pageOrder === 'oldest-first';
		const lacksOldest = newest.length < count && (window.hasUnread || isCutShort);
		return {
			items: this.itemsOf(ids),
			isWhole: ids.length === newest.length && !isShort && !lacksOldest,
			hasOlder: window.hasOlder || window.entries().length > newest.length,
			reading: this.readingOf(changes),
		};
	}

	/**
	 * Reads the newest `count` messages again after a poll, as others than the very newest may have changed. If the oldest
	 * come first, reads all.
	 */
	async reread(read: ReadPage, count: number, changes: MessageChanges): Promise<void> {
		let left = count;
		for await (const {items} of walk(read, {limit: fullPage})) {
			this.window.addReread(items, changes);
			left -= items.length;
			if (this.window.listing.pageOrder !== 'oldest-first' && left <= 0) break;
		}
	}

	/** Reads messages older than any known; the changes are empty if there are none. */
	async readOlder(read: ReadPage): Promise<MessageChanges> {
		const changes = createMessageChanges();
		const start = this.window.listing.gaps?.find(({after}) => after === undefined);
		if (start) await readGap(this.window, read, start, changes);
		return changes;
	}

	async fillGap(read: ReadPage, gapId: string): Promise<MessageChanges> {
		const changes = createMessageChanges();
		const gap = this.window.listing.gaps?.find(({id}) => id === gapId);
		if (gap) await readGap(this.window, read, gap, changes);
		return changes;
	}

	/** Makes the next poll check again whether the first page has the oldest or the newest messages. */
	checkPageOrder(): void {
		this.#isCheckDue = true;
	}

	/**
	 * Fills the newest gap among the last `count` entries, or reads one step further back. False at the
	 * beginning, or when the service makes no progress.
	 */
	async #stepBack(read: ReadPage, count: number): Promise<boolean> {
		const {window} = this;
		const readState = () => JSON.stringify([this.items().length, window.listing.gaps]);
		const before = readState();
		const gap = window
			.entries()
			.slice(-count)
			.findLast(({kind}) => kind === 'gap');
		if (gap) await this.fillGap(read, gap.id);
		else if (window.hasOlder) {
			if (window.loadOlder() === 0) await this.readOlder(read);
		}
		return readState() !== before;
	}

	/** If the service rejects a cursor, drops it and restarts the walk, once. */
	async #pollOldestFirst(read: ReadPage, changes: MessageChanges, onWalk: OnWalk): Promise<void> {
		try {
			await readOldestFirst(this.window, read, changes, onWalk);
		} catch (error) {
			if (!(error instanceof RejectedError) || this.window.listing.lastPageCursor === undefined) throw error;
			this.window.rereadFromOldest();
			await readOldestFirst(this.window, read, changes, onWalk);
		}
	}

	/** The first poll: finds the order of the pages by comparing two pages. */
	async #detect(read: ReadPage, changes: MessageChanges, onWalk: OnWalk): Promise<void> {
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
			if (pages[0]) this.#addOnlyPage(pages[0], changes, error);
			if (!pages[0] || !(error instanceof RejectedError)) throw error;
			return;
		}
		const [first, second] = pages;
		if (!first || !second) {
			const only = first ?? last;
			if (only) this.window.addPage(only.items, 'newer', changes);
			this.#setStart(undefined);
			this.window.setListingState({isCutShort: last?.isEnd !== true});
			return;
		}
		const pageOrder = pageOrderOf(first.items, second.items) ?? 'newest-first';
		this.#setPageOrder(pageOrder);
		if (pageOrder === 'oldest-first') return readOldestFirst(this.window, read, changes, onWalk, pages);
		this.window.addPage(first.items, 'newer', changes);
		const upserted = this.window.addPage(second.items, 'older', changes);
		if (leadsBack(second, upserted)) this.#setStart({});
		else this.#setStart(second.nextCursor === undefined ? undefined : {cursor: second.nextCursor});
		if (second.nextCursor === undefined) this.window.setListingState({isCutShort: !second.isEnd});
	}

	/** Takes the first page alone if it likely has the newest messages, or no other can be read. */
	#addOnlyPage({items}: WalkedPage, changes: MessageChanges, error: unknown): void {
		// The read may have been aborted because the session was forgotten.
		if (error instanceof AbortError) return;
		const isRefused = error instanceof RejectedError;
		if (!isRefused && oldestFirst(items) === items) return;
		this.window.addPage(items, 'newer', changes);
		if (isRefused) this.#setStart({});
	}

	/** Records what is unread before the oldest known message, from `unread` on; `undefined` if nothing is. */
	#setStart(unread: PageAt | undefined): void {
		const before = this.window.timeline.items()[0]?.id;
		const gaps = (this.window.listing.gaps ?? []).filter(({after}) => after !== undefined);
		this.window.setListingState({gaps, isComplete: unread === undefined && gaps.length === 0});
		if (unread && before !== undefined) addGap(this.window, {before, ...unread});
	}

	#setPageOrder(pageOrder: PageOrder): void {
		if (this.window.listing.pageOrder === pageOrder) return;
		this.window.setListingState({
			pageOrder,
			gaps: [],
			lastPageCursor: undefined,
			roleCursors: undefined,
			isPruned: undefined,
			isComplete: pageOrder === 'oldest-first' ? false : this.window.listing.isComplete,
		});
		const before = this.window.timeline.items()[0]?.id;
		if (pageOrder === 'newest-first' && !this.window.listing.isComplete && before !== undefined)
			addGap(this.window, {before});
	}

	/**
	 * Order of the pages, judged by where the page's messages are among the known ones. `either`: the page spans
	 * all known messages, and more pages follow.
	 */
	#orderOf({items, nextCursor}: WalkedPage): PageOrder | 'either' | undefined {
		const known = this.window.timeline.items();
		const newest = known.at(-1);
		const oldest = known[0];
		if (!newest || !oldest || nextCursor === undefined || items.length === 0) return undefined;
		const hasNewest = items.some(
			({id, createdAt = 0}) => id === newest.id || createdAt > (newest.message.createdAt ?? Infinity),
		);
		const hasOldest =
			(!this.window.hasOlder && items.some(({id}) => id === oldest.id)) ||
			items.every(({createdAt = Infinity}) => createdAt < (oldest.message.createdAt ?? 0));
		if (hasNewest && hasOldest) return 'either';
		if (!hasNewest && !hasOldest) return undefined;
		return hasNewest ? 'newest-first' : 'oldest-first';
	}

	async #firstPage(read: ReadPage, limit: number): Promise<WalkedPage> {
		let last: WalkedPage = {items: []};
		for await (const page of walk(read, {limit})) {
			last = page;
			if (page.items.length > 0) break;
		}
		return last;
	}

	async #readChanges(
		read: ReadPage,
		changes: MessageChanges,
		{isQuiet, onWalk}: Required<PollOptions>,
	): Promise<void> {
		if (this.window.listing.pageOrder === 'oldest-first' && !this.#isCheckDue)
			return this.#pollOldestFirst(read, changes, onWalk);
		const isEmpty = this.window.timeline.items().length === 0;
		if (!this.window.listing.pageOrder && isEmpty) return this.#detect(read, changes, onWalk);
		const first = await this.#firstPage(read, isQuiet ? restLimit : pollLimit);
		const pageOrder = this.#orderOf(first);
		this.#isCheckDue = false;
		if (pageOrder === 'either' && !this.window.listing.pageOrder) return this.#detect(read, changes, onWalk);
		if (pageOrder && pageOrder !== 'either') this.#setPageOrder(pageOrder);
		if (this.window.listing.pageOrder === 'oldest-first') await this.#pollOldestFirst(read, changes, onWalk);
		else await readNewestFirst(this.window, read, first, changes);
	}
}
