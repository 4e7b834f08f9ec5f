import type {CachedMessage, Database, Hole, ListingState} from '../db/database.ts';
import type {Message, MessageRole} from '../domain/message.ts';
import {createMissingMessages, type Ends} from '../domain/missing-messages.ts';
import {insideOrder, oldestFirst} from '../domain/order.ts';
import {explicitRole} from '../domain/roles.ts';
import {createTimeline, type Timeline, type TimelineItem, type Upserted} from '../domain/timeline.ts';
import type {StreamEntry} from '../state/stream.ts';
import {
	createHistoryWindow,
	createItemMapper,
	type HistoryWindow,
	historyWindowAround,
} from './history-window.ts';
import type {SafeWrite} from './safe-write.ts';

/** The newest messages of one session that are in memory, over the cache that holds all that was read. */
export type MessageWindow = {
	readonly timeline: Timeline;
	readonly listing: ListingState;
	setListingState(change: ListingState): void;
	/** Keeps a page in the service's own order: on disk, then in the timeline. `side` as in `Timeline.upsert`. */
	take(page: readonly Message[], side: 'older' | 'newer'): Upserted;
	/**
	 * Until the answer is called, pages and facts go to disk several at a time: most of what a write takes, it takes once.
	 * What is not there yet when the program dies is read again, for the facts tell no more than the disk holds.
	 */
	startBatch(): () => void;
	/** Tells a page that was read again; what is surely gone from it is removed. Answers whether any was. */
	removeMissing(page: readonly Message[], ends: Ends, now: number): boolean;
	setRoles(roles: ReadonlyMap<string, MessageRole>): readonly string[];
	/** Fills the window with the newest cached messages. */
	loadCached(): void;
	/** Brings the cached messages just before the window into it; answers how many there were. */
	loadOlder(): number;
	readonly hasOlder: boolean;
	/** What the stream shows: the messages, and a row for each gap between them. */
	entries(): readonly StreamEntry[];
	/** The same for a stretch of the history. */
	entriesOf(historyWindow: HistoryWindow): readonly StreamEntry[];
	/** Does the service hold messages older than all that are kept? */
	readonly hasUnread: boolean;
	/** Goes to a kept message, or on from the oldest `count` of the window; absent when it isn't kept. */
	openHistory(start: {readonly id: string} | {readonly count: number}): HistoryWindow | undefined;
	/** Takes a stretch that reaches the window into it. */
	mergeHistory(historyWindow: HistoryWindow): void;
	/** Cuts the window to its newest messages. */
	trim(count: number): void;
};

const cachedTail = 200;
/** Messages of one write: some ms, then keys have their turn. */
const maxBatch = 500;

/**
 * The rule that tells roles. An earlier one took what one page of a `role=` listing did not hold for the assistant's:
 * what it told so is forgotten, and asked again.
 */
const roleRule = 2;

function currentListingState(sessionId: string, database: Database, safeWrite: SafeWrite): ListingState {
	const listing = database.messages.listing(sessionId);
	if (listing.roleRule === roleRule) return listing;
	const current = {...listing, roleRule, roleCursors: undefined, assistantUpTo: undefined};
	if (database.messages.count(sessionId) > 0) {
		safeWrite(() => {
			database.messages.forgetRole(sessionId, 'assistant');
			database.messages.setListingState(sessionId, current);
		});
	}
	return current;
}

export function createMessageWindow(
	sessionId: string,
	database: Database,
	safeWrite: SafeWrite,
): MessageWindow {
	const timeline = createTimeline();
	const missingMessages = createMissingMessages();
	let listing = currentListingState(sessionId, database, safeWrite);
	/** One entry object an item, so that what didn't change is the same object. */
	const entryOf = new WeakMap<TimelineItem, StreamEntry>();
	/** Messages that were shown before their role was known. */
	const shownWithoutRole = new Set<string>();
	let isCacheOlder = false;
	/** What waits to be written; absent while everything is written at once. */
	let batch: CachedMessage[] | undefined;

	function writeMessages(kept: readonly CachedMessage[]): void {
		if (kept.length > 0) safeWrite(() => database.messages.put(sessionId, kept));
	}

	function writeListingState(): void {
		safeWrite(() => database.messages.setListingState(sessionId, listing));
	}

	function writeBatch(): void {
		if (!batch) return;
		writeMessages(batch);
		batch = [];
		writeListingState();
	}

	function toEntry(item: TimelineItem): StreamEntry {
		const known = entryOf.get(item);
		if (known) return known;
		const isLate = item.role !== undefined && shownWithoutRole.has(item.id);
		if (!item.role) shownWithoutRole.add(item.id);
		const entry: StreamEntry = {kind: 'message', ...item, ...(isLate && {isRoleLate: true})};
		entryOf.set(item, entry);
		return entry;
	}

	function roleOfStored({message, role}: CachedMessage): MessageRole | undefined {
		const {createdAt = Number.POSITIVE_INFINITY} = message;
		const {assistantUpTo = Number.NEGATIVE_INFINITY} = listing;
		return role ?? explicitRole(message).role ?? (createdAt <= assistantUpTo ? 'assistant' : undefined);
	}

	const itemsOf = createItemMapper(roleOfStored);
	const source = {
		before: (id: string, limit: number) => itemsOf(database.messages.tail(sessionId, limit, id)),
		from: (id: string, limit: number) => itemsOf(database.messages.from(sessionId, limit, id)),
	};

	function withGaps(items: readonly TimelineItem[]): readonly StreamEntry[] {
		const gaps = new Map<string, Hole>();
		for (const hole of listing.holes ?? []) if (hole.after !== undefined) gaps.set(hole.before, hole);
		if (gaps.size === 0) return items.map(toEntry);
		return items.flatMap(item => {
			const gap = gaps.get(item.id);
			return gap ? [{kind: 'gap' as const, id: gap.id, version: 1}, toEntry(item)] : [toEntry(item)];
		});
	}

	function hasUnread(): boolean {
		return (listing.holes ?? []).some(hole => hole.after === undefined);
	}

	function addCached(kept: readonly CachedMessage[], side: 'older' | 'newer'): void {
		const page = kept.map(one => {
			const role = roleOfStored(one);
			return {message: one.message, ...(role && {role})};
		});
		timeline.upsert(page, side);
		isCacheOlder = kept.length >= cachedTail;
	}

	return {
		timeline,
		get listing() {
			return listing;
		},
		setListingState(change) {
			listing = {...listing, ...change};
			if (!batch) writeListingState();
			else if (batch.length >= maxBatch) writeBatch();
		},
		take(page, side) {
			const inside = insideOrder(page);
			if (inside && inside !== listing.inside) listing = {...listing, inside};
			const ordered = oldestFirst(page, listing.inside).map(message => {
				const {role} = explicitRole(message);
				return {message, ...(role && {role})};
			});
			const changes = timeline.upsert(ordered, side);
			const kept = [...changes.added, ...changes.changed].flatMap(id => {
				const item = timeline.get(id);
				return item ? [{message: item.message, ...(item.role && {role: item.role})}] : [];
			});
			if (batch) batch.push(...kept);
			else writeMessages(kept);
			return changes;
		},
		startBatch() {
			batch ??= [];
			return () => {
				writeBatch();
				batch = undefined;
			};
		},
		removeMissing(page, ends, now) {
			const ids = oldestFirst(page, listing.inside).map(message => message.id);
			const gone = missingMessages.removeMissing(ids, ends, now);
			if (gone.length === 0) return false;
			safeWrite(() => database.messages.remove(sessionId, gone));
			timeline.remove(gone);
			return true;
		},
		setRoles(roles) {
			if (roles.size === 0) return [];
			safeWrite(() => database.messages.setRoles(sessionId, roles));
			return timeline.setRoles(roles);
		},
		loadCached() {
			const kept = database.messages.tail(sessionId, cachedTail);
			addCached(kept, 'newer');
			if ((listing.holes ?? []).length > 0) return;
			const isWhole = listing.isComplete === true && kept.length < cachedTail;
			missingMessages.expect(
				kept.map(({message}) => message.id),
				isWhole,
			);
		},
		loadOlder() {
			const oldest = timeline.items()[0];
			if (!oldest || !isCacheOlder) return 0;
			const kept = database.messages.tail(sessionId, cachedTail, oldest.id);
			addCached(kept, 'older');
			return kept.length;
		},
		get hasOlder() {
			return isCacheOlder || hasUnread();
		},
		entries: () => withGaps(timeline.items()),
		entriesOf: historyWindow => withGaps(historyWindow.items()),
		get hasUnread() {
			return hasUnread();
		},
		openHistory: start =>
			'id' in start
				? historyWindowAround(source, start.id)
				: createHistoryWindow(source, timeline.items().slice(0, start.count)),
		mergeHistory(historyWindow) {
			timeline.upsert(historyWindow.items(), 'older');
			isCacheOlder = historyWindow.hasOlder;
		},
		trim(count) {
			if (timeline.trim(count)) isCacheOlder = true;
		},
	};
}
