import type {CachedMessage, Database, Hole, ListingState} from '../../db/database.ts';
import type {Message, MessageRole} from '../../domain/messages/message.ts';
import {createMissingMessages, type Ends} from '../../domain/messages/missing-messages.ts';
import {explicitRole} from '../../domain/messages/roles.ts';
import {
	createTimeline,
	type Timeline,
	type TimelineItem,
	type Upserted,
} from '../../domain/messages/timeline.ts';
import {insideOrder, oldestFirst} from '../../domain/order.ts';
import type {StreamEntry} from '../../state/stream.ts';
import type {SafeWrite} from '../core/safe-write.ts';
import {
	createHistoryWindow,
	createItemMapper,
	type HistoryWindow,
	historyWindowAround,
} from './history-window.ts';

/** The newest messages of one session in memory, on top of the cache that holds all messages read so far. */
export type MessageWindow = {
	readonly timeline: Timeline;
	readonly listing: ListingState;
	setListingState(change: ListingState): void;
	/**
	 * Saves a page in the service's order, to disk and then to the timeline. `side` as in `Timeline.upsert`.
	 */
	take(page: readonly Message[], side: 'older' | 'newer'): Upserted;
	/**
	 * Batches the writes of pages and listing state until the returned function is called, as most of a write's
	 * cost is fixed. If the program dies first, the unwritten part is read again: the listing state never
	 * claims more than is on disk.
	 */
	startBatch(): () => void;
	/**
	 * Compares a page that was read again with the known messages, and removes those that are certainly gone.
	 * Returns whether there were any.
	 */
	removeMissing(page: readonly Message[], ends: Ends, now: number): boolean;
	setRoles(roles: ReadonlyMap<string, MessageRole>): readonly string[];
	/** Fills the window with the newest cached messages. */
	loadCached(): void;
	/** Loads the cached messages just before the window; returns how many there were. */
	loadOlder(): number;
	readonly hasOlder: boolean;
	/** Entries of the stream: the messages, and a row for each gap between them. */
	entries(): readonly StreamEntry[];
	/** The same for a part of the history. */
	entriesOf(historyWindow: HistoryWindow): readonly StreamEntry[];
	/** Whether the service has messages older than the oldest cached one. */
	readonly hasUnread: boolean;
	/**
	 * Opens a history window around a cached message, or on the oldest `count` messages of this window;
	 * `undefined` if the message isn't cached.
	 */
	openHistory(start: {readonly id: string} | {readonly count: number}): HistoryWindow | undefined;
	/** Merges a history window that reaches this window into it. */
	mergeHistory(historyWindow: HistoryWindow): void;
	/** Trims the window to its newest `count` messages. */
	trim(count: number): void;
};

const cachedTail = 200;
/** Maximum messages per write: a few ms of work, so that keys aren't delayed. */
const maxBatch = 500;

/**
 * Version of the rule that infers roles. An earlier version inferred `assistant` for messages missing from a
 * single page of a `role=` listing: those roles are dropped and resolved again.
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
	/** One entry object per item, so that unchanged items keep their object. */
	const entryOf = new WeakMap<TimelineItem, StreamEntry>();
	/** Ids of messages that were shown before their role was known. */
	const shownWithoutRole = new Set<string>();
	let isCacheOlder = false;
	/** Messages to be written; `undefined` while nothing is batched. */
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
