import {
	type CachedMessage,
	type Database,
	type Gap,
	isWholeListing,
	type ListingState,
	type MessageToCache,
} from '../../db/database.ts';
import {append} from '../../domain/large-arrays.ts';
import {explicitRole, type Message, type MessageRole} from '../../domain/messages/message.ts';
import {
	createTimeline,
	type Incoming,
	oldestFirst,
	type Place,
	type Timeline,
	type TimelineItem,
	type Upserted,
} from '../../domain/messages/timeline.ts';
import type {StoredCount} from '../../domain/sessions/activity.ts';
import type {Stream, StreamEntry} from '../../state/stream.ts';
import type {SafeWrite} from '../core/safe-write.ts';
import {createItemMapper, type HistorySource, HistoryWindow} from './history-window.ts';

const cachedTail = 200;
/** Maximum messages per write: a few ms of work, so that keys aren't delayed. */
const maxBatch = 500;

/** Ids of the messages that one poll found new or changed. */
export type MessageChanges = {
	readonly added: Set<string>;
	readonly changed: Set<string>;
	/** Whether gaps were found or closed. */
	isReshaped: boolean;
};

export function createMessageChanges(): MessageChanges {
	return {added: new Set(), changed: new Set(), isReshaped: false};
}

export function addMessageChanges(
	changes: MessageChanges,
	{added, changed}: {readonly added: Iterable<string>; readonly changed: Iterable<string>},
): void {
	for (const id of added) changes.added.add(id);
	for (const id of changed) if (!changes.added.has(id)) changes.changed.add(id);
}

export function hasMessageChanges(changes: MessageChanges): boolean {
	return changes.added.size > 0 || changes.changed.size > 0 || changes.isReshaped;
}

/** The newest messages of one session in memory, on top of the cache that holds all messages read so far. */
export class MessageWindow {
	readonly timeline: Timeline = createTimeline();
	readonly #sessionId: string;
	readonly #messages: Database['messages'];
	readonly #safeWrite: SafeWrite;
	readonly #history: HistorySource;
	/** One entry object per item, so that unchanged items keep their object. */
	readonly #entries = new WeakMap<TimelineItem, StreamEntry>();
	/** Ids of messages that were shown before their role was known. */
	readonly #shownWithoutRole = new Set<string>();
	#listing: ListingState;
	/** Whether the cache may hold messages older than the window. */
	#isCacheOlder = false;
	/** Messages to be written; `undefined` while nothing is batched. */
	#batch: MessageToCache[] | undefined;

	constructor(sessionId: string, {messages}: Database, safeWrite: SafeWrite) {
		this.#sessionId = sessionId;
		this.#messages = messages;
		this.#safeWrite = safeWrite;
		this.#listing = messages.listing(sessionId);
		const itemsOf = createItemMapper(cachedRole);
		this.#history = {
			before: (id, limit) => itemsOf(messages.tail(sessionId, limit, id)),
			from: (id, limit) => itemsOf(messages.from(sessionId, limit, id)),
		};
	}

	get listing(): ListingState {
		return this.#listing;
	}

	setListingState(change: ListingState): void {
		this.#listing = {...this.#listing, ...change};
		if (!this.#batch) this.#writeListingState();
		else if (this.#batch.length >= maxBatch) this.#writeBatch();
	}

	/** Oldest first: makes the next read start at the oldest message, for example as the cache was pruned. */
	rereadFromOldest(): void {
		this.setListingState({
			lastPageCursor: undefined,
			isComplete: false,
			// The roles of the pruned messages have to be read again, too.
			roleCursors: this.#listing.isPruned ? undefined : this.#listing.roleCursors,
			isPruned: undefined,
		});
	}

	/** Adds a page in the service's order to the timeline, and writes it. `side`: see `Timeline.upsert`. */
	addPage(page: readonly Message[], side: 'older' | 'newer', changes: MessageChanges): Upserted {
		const incoming = oldestFirst(page, this.#listing.pageOrder).map(message =>
			withRole(message, explicitRole(message).role),
		);
		const upserted = this.timeline.upsert(incoming, side);
		addMessageChanges(changes, upserted);
		const written = new Set([...upserted.added, ...upserted.changed, ...upserted.moved]);
		const messages = [...written].flatMap(id => {
			const item = this.timeline.get(id);
			const place = this.timeline.placeOf(id);
			return item && place ? [{...withRole(item.message, item.role), place}] : [];
		});
		if (this.#batch) append(this.#batch, messages);
		else this.#writeMessages(messages);
		return upserted;
	}

	/** Adds a page that was read again; messages older than the window are only written. */
	addReread(page: readonly Message[], changes: MessageChanges): void {
		const {createdAt: start = Number.POSITIVE_INFINITY} = this.timeline.items()[0]?.message ?? {};
		const isInside = ({id, createdAt = start}: Message) => createdAt >= start || this.timeline.get(id);
		const {inside = [], older = []} = Object.groupBy(page, one => (isInside(one) ? 'inside' : 'older'));
		this.#writeMessages(older.map(message => withRole(message, explicitRole(message).role)));
		this.addPage(inside, 'newer', changes);
	}

	/**
	 * Batches the writes of pages and listing state until the returned function is called, as most of a write's
	 * cost is fixed. If the program dies first, the unwritten part is read again: the listing state never
	 * claims more than is on disk.
	 */
	startBatch(): () => void {
		this.#batch ??= [];
		return () => {
			this.#writeBatch();
			this.#batch = undefined;
		};
	}

	setRoles(roles: ReadonlyMap<string, MessageRole>): readonly string[] {
		if (roles.size === 0) return [];
		this.#safeWrite(() => this.#messages.setRoles(this.#sessionId, roles));
		return this.timeline.setRoles(roles);
	}

	/** Fills the window with the newest `count` cached messages. */
	loadCached(count = cachedTail): void {
		this.#addCached(this.#messages.tail(this.#sessionId, count), count);
	}

	/** Loads the cached messages just before the window; returns how many there were. */
	loadOlder(): number {
		const oldest = this.timeline.items()[0];
		if (!oldest || !this.#isCacheOlder) return 0;
		const cached = this.#messages.tail(this.#sessionId, cachedTail, oldest.id);
		this.#addCached(cached);
		return cached.length;
	}

	get hasOlder(): boolean {
		return this.#isCacheOlder || this.hasUnread;
	}

	/** Whether the service has messages older than the oldest cached one. */
	get hasUnread(): boolean {
		return hasUnread(this.#listing);
	}

	get stored(): StoredCount {
		return {count: this.#messages.count(this.#sessionId), isWhole: isWholeListing(this.#listing)};
	}

	/** Entries of this window or of a history window: the messages, and a row for each gap between them. */
	entries(historyWindow?: HistoryWindow): readonly StreamEntry[] {
		const items = (historyWindow ?? this.timeline).items();
		return entriesWithGaps(items, this.#listing, item => this.#entryOf(item));
	}

	/** Opens a history window around a cached message; `undefined` if it isn't cached. */
	historyAround(id: string): HistoryWindow | undefined {
		return HistoryWindow.around(this.#history, id);
	}

	/** Opens a history window on the oldest `count` messages of this window. */
	oldestHistory(count: number): HistoryWindow {
		return new HistoryWindow(this.#history, this.timeline.items().slice(0, count));
	}

	/** Merges a history window that reaches this window into it. */
	mergeHistory(historyWindow: HistoryWindow): void {
		const {length, 0: oldest} = historyWindow.items();
		this.#addCached(this.#messages.from(this.#sessionId, length, oldest?.id ?? ''));
		this.#isCacheOlder = historyWindow.hasOlder;
	}

	trim(count: number): void {
		if (this.timeline.trim(count)) this.#isCacheOlder = true;
	}

	#writeMessages(messages: readonly MessageToCache[]): void {
		if (messages.length > 0) this.#safeWrite(() => this.#messages.put(this.#sessionId, messages));
	}

	#writeListingState(): void {
		this.#safeWrite(() => this.#messages.setListingState(this.#sessionId, this.#listing));
	}

	#writeBatch(): void {
		if (!this.#batch) return;
		this.#writeMessages(this.#batch);
		this.#batch = [];
		this.#writeListingState();
	}

	#addCached(cached: readonly CachedMessage[], limit = cachedTail): void {
		this.timeline.restore(cached.map(withCachedRole));
		this.#isCacheOlder = cached.length >= limit;
	}

	#entryOf(item: TimelineItem): StreamEntry {
		const known = this.#entries.get(item);
		if (known) return known;
		const isLate = item.role !== undefined && this.#shownWithoutRole.has(item.id);
		if (!item.role) this.#shownWithoutRole.add(item.id);
		const entry: StreamEntry = {kind: 'message', ...item, isRoleLate: isLate};
		this.#entries.set(item, entry);
		return entry;
	}
}

function withRole(message: Message, role: MessageRole | undefined): Incoming {
	return {message, role};
}

function withCachedRole(cached: CachedMessage): Incoming & Place {
	const {message, at, rank} = cached;
	return {...withRole(message, cachedRole(cached)), at, rank};
}

/** The role of a cached message, if it is known: its own word for it comes first. */
function cachedRole({message, role}: CachedMessage): MessageRole | undefined {
	return message.role?.trim() ? explicitRole(message).role : role;
}

/** The entries of these items, and a gap before each message that others are missing before. */
function entriesWithGaps(
	items: readonly TimelineItem[],
	{gaps = []}: ListingState,
	entryOf: (item: TimelineItem) => StreamEntry,
): readonly StreamEntry[] {
	const gapBefore = new Map<string, Gap>();
	for (const gap of gaps) if (gap.after !== undefined) gapBefore.set(gap.before, gap);
	if (gapBefore.size === 0) return items.map(entryOf);
	return items.flatMap(item => {
		const gap = gapBefore.get(item.id);
		const entry = entryOf(item);
		return gap ? [{kind: 'gap' as const, id: gap.id, version: 1}, entry] : [entry];
	});
}

/** Number of messages of a preview: enough to fill a large screen unless most are single lines. */
const previewTail = 40;

/** Returns the newest cached messages of a session that isn't open. Writes nothing and makes no request. */
export function readPreview({messages}: Database, sessionId: string): Stream {
	const {messages: cached, listing} = messages.peek(sessionId, previewTail);
	const timeline = createTimeline();
	timeline.restore(cached.map(withCachedRole));
	const {isComplete = false, gaps = []} = listing;
	const isOldestRead = isComplete && gaps.length === 0;
	return {
		sessionId,
		entries: entriesWithGaps(timeline.items(), listing, item => ({kind: 'message', ...item})),
		hasOlder: cached.length === previewTail || hasUnread(listing),
		phase: {name: cached.length > 0 || isOldestRead ? 'ready' : 'loading'},
	};
}

function hasUnread({isPruned, gaps = []}: ListingState): boolean {
	return isPruned === true || gaps.some(({after}) => after === undefined);
}
