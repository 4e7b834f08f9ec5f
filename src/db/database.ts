import type {Wait} from '../domain/backoff.ts';
import type {KnownComputer, KnownSession} from '../domain/known.ts';
import type {DraftImage} from '../domain/messages/attachment.ts';
import type {DeliveryState, OutboxItem} from '../domain/messages/delivery.ts';
import type {FileAttachment, Message, MessageRole} from '../domain/messages/message.ts';
import type {CollapsedRange} from '../domain/messages/timeline.ts';
import type {AttentionMark, Subject} from '../domain/sessions/attention.ts';
import type {HookEvent} from '../domain/sessions/hook-event.ts';
import type {Signal} from '../domain/sessions/signal.ts';
import type {AccountsTable} from './accounts.ts';
import type {AnalyticsTable} from './analytics.ts';
import type {Incident} from './incidents.ts';

/** A cached message with its inferred role. */
export type CachedMessage = {readonly message: Message; readonly role?: MessageRole};

/** Messages between `after` and `before` that aren't cached; without `after`, all before `before`. */
export type Hole = {
	readonly id: string;
	readonly before: string;
	readonly after?: string;
	/** Fetches the page that ends just before `before`; absent when the service rejected it or sent none. */
	readonly cursor?: string;
};

/**
 * Facts about a session's message listing that the contract leaves open: inferred from data, stored as JSON.
 */
export type ListingState = {
	/** Whether the page without a cursor holds the newest messages (`tail`) or the oldest (`head`). */
	readonly pages?: 'tail' | 'head';
	/** Order within a page. */
	readonly inside?: 'ascending' | 'descending';
	/** Head first: the cursor that fetched the current last page. */
	readonly lastPageCursor?: string;
	/** The limit to use with that cursor. */
	readonly lastPageLimit?: number;
	/** The whole history is cached. */
	readonly isComplete?: boolean;
	/** Head first: only the newest messages are cached still, and reading goes on after them. */
	readonly isPruned?: boolean;
	/** The service says there is more, but gives no cursor to it. */
	readonly isCutShort?: boolean;
	/** Tail first: skipped ranges, and the part never read. */
	readonly holes?: readonly Hole[];
	/** Head first: the next cursor of each `role=` query; empty for its first page. */
	readonly roleCursors?: Partial<Record<MessageRole, string>>;
	/** Head first: cached messages up to this time (Unix ms) without a role are the assistant's. */
	readonly assistantUpTo?: number;
	/** Version of the rule that assigned the cached roles. */
	readonly roleRule?: number;
};

/**
 * The cached messages of a session that match some words, in display order, with a cursor among them. The
 * cursor starts at the reader's message and keeps its place, whatever is written.
 */
export type FoundMessages = {
	/** Searches the cache, newest first. Each step takes a few ms, regardless of the cache's size. */
	readonly steps: Iterable<unknown>;
	/** The search is too long to run its first steps within a keypress. */
	readonly isLong: boolean;
	/** Number of matches. */
	readonly count: number;
	/** Number of matches after the cursor. */
	readonly newer: number;
	/** Whether the message at the cursor matches. */
	readonly isAtCursor: boolean;
	/** Not everything could be read. */
	readonly isUnread?: boolean;
	/** Moves the cursor to a match (0 is the newest) and returns its id, or undefined if there is none. */
	moveTo(number: number): string | undefined;
	/** Applies what was written since the steps finished. The cost depends only on the amount written. */
	update(): void;
	close(): void;
};

export type FindOptions = {
	/** The reader's message; the newest if absent or not cached. */
	readonly from?: string | undefined;
	/** Called when messages of the session were written. Once the steps are done, call `update`. */
	readonly onWritten?: () => void;
};

/** A matching message, with the raw text around the match on one line. */
export type FoundMessage = {
	readonly sessionId: string;
	readonly messageId: string;
	readonly snippet: string;
	/** Unix ms. */
	readonly createdAt?: number;
};

/** The cached messages of all sessions that match some words. */
export type SearchedMessages = {
	/** Each step takes a few ms, regardless of the cache's size, and yields the number of new matches. */
	readonly steps: Iterable<number>;
	/** Number of readable matches, newest first; known when the steps are done. */
	readonly listed: number;
	/** Bytes of the sessions' own files that were searched, if that weren't all; known when the steps are done. */
	readonly searchedBytes?: number | undefined;
	/** Matches `from` up to but not including `to`, without those deleted in the meantime. */
	read(from: number, to: number): FoundMessage[];
};

/** Cache size of a session, and when it was last read. */
export type CachedSession = {
	readonly sessionId: string;
	readonly messages: number;
	readonly bytes: number;
	readonly oldestAt?: number;
	readonly usedAt?: number;
};

/** A session's unsent draft. */
export type DraftContent = {
	readonly text: string;
	readonly images: readonly DraftImage[];
	readonly files: readonly FileAttachment[];
	/** Collapsed parts of the text: [start, end] in UTF-16 units, in order. */
	readonly folds?: readonly CollapsedRange[];
};

/** A draft as stored. `revision` changes with each save by any program. */
export type StoredDraft = DraftContent & {readonly updatedAt: number; readonly revision: string};
/** The account a database was opened for. */
export type OpenAccount = {
	readonly id: string;
	/** Whether the current key still opens this unmerged account. Checked again right before each post. */
	isCurrent(): boolean;
};

/** Machine-wide data: the accounts, and the hook events, which every account shows. */
export type Machine = Pick<
	Database,
	| 'problem'
	| 'isUnread'
	| 'notice'
	| 'incidents'
	| 'events'
	| 'settings'
	| 'peerWriteCount'
	| 'onNextWrite'
	| 'onChange'
	| 'close'
> & {
	readonly accounts: AccountsTable;
};

/**
 * All persistent data: one sqlite file per account, and one for the machine (`Machine`). Calls are
 * synchronous and short. Failures throw `StorageError`; reads still work after a failed write. A file that
 * can't be written is opened in memory, and `problem` says so.
 */
export type Database = {
	/** Set when data won't outlive the process or the file is read-only: the reason, in one line. */
	readonly problem?: string;
	/** The file couldn't even be read, so its contents are unknown. `problem` says why. */
	readonly isUnread?: boolean;
	/** What was repaired, in one line: a damaged file was moved aside. The data is sound again. */
	readonly notice?: string;
	/** What happened to the file, oldest first, until the user acknowledges it. Stored in the file. */
	readonly incidents: {
		all(): Incident[];
		/** Records an incident with another file of this machine and reports it like one with this file. */
		add(incident: Incident): void;
		acknowledge(): void;
	};
	/**
	 * Called when a sound file, with all rows that could be read, has replaced one that was damaged, lost or
	 * replaced at run time; and when `problem` changes. Callers should then rewrite data they hold only in
	 * memory. Returns the unsubscribe function.
	 */
	onChange(listener: () => void): () => void;
	/** The account that owns this data; absent in the machine's database. */
	readonly account?: OpenAccount;
	readonly computers: {
		all(): KnownComputer[];
		/** In the order of `all`. */
		ids(): string[];
		get(id: string): KnownComputer | undefined;
		/** Runs in one transaction. */
		put(...computers: readonly KnownComputer[]): void;
		remove(id: string): void;
		/** Ids of all computers ever removed: discovery doesn't add them back. */
		forgotten(): readonly string[];
	};
	readonly sessions: {
		all(): KnownSession[];
		/** In the order of `all`. */
		ids(): string[];
		get(id: string): KnownSession | undefined;
		/** Sessions that another program has written since the last call; the first call returns all. */
		changedElsewhere(): KnownSession[];
		put(session: KnownSession): void;
		remove(id: string): void;
	};
	readonly messages: {
		/** Inserts or updates by id. `older`: new messages come before cached ones of the same time. */
		put(sessionId: string, messages: readonly CachedMessage[], side?: 'older' | 'newer'): void;
		/** Puts cached messages of one time into this order, behind others of that time; does nothing if they are. */
		orderTies(sessionId: string, at: number, ids: readonly string[]): void;
		setRoles(sessionId: string, roles: ReadonlyMap<string, MessageRole>): void;
		/** Clears this role from the session's cached messages. */
		forgetRole(sessionId: string, role: MessageRole): void;
		remove(sessionId: string, ids: readonly string[]): void;
		/** The newest `limit` messages in display order, or the `limit` messages just before `before`. */
		tail(sessionId: string, limit: number, before?: string): CachedMessage[];
		/** The message `id` and those after it, at most `limit`, in display order. */
		from(sessionId: string, limit: number, id: string): CachedMessage[];
		count(sessionId: string): number;
		listing(sessionId: string): ListingState;
		/** The newest `limit` messages and the listing state, only to be shown: no later write relies on them. */
		peek(sessionId: string, limit: number): {messages: CachedMessage[]; listing: ListingState};
		setListingState(sessionId: string, state: ListingState): void;
		/** Searches a session's cached messages for the words, until the result is closed. */
		find(sessionId: string, words: string, options?: FindOptions): FoundMessages;
		/** Searches all cached messages for the words; the newest `limit` matches can be read. */
		search(words: string, limit: number): SearchedMessages;
		/** Indexes of the texts that contain the words, in order: what `find` would find among messages. */
		matching(words: string, texts: readonly string[]): number[];
	};
	/** The message cache as a whole. Long-unused messages are evicted; the service can send them again. */
	readonly cache: {
		/** Bytes of the file in use by all data, and free bytes inside it. */
		size(): {readonly used: number; readonly free: number};
		totals(): {readonly sessions: number; readonly messages: number};
		/** Cache size of each session, largest first. Reads the whole cache. Times are Unix ms. */
		sessions(): CachedSession[];
		/** Marks sessions as open: no program evicts their messages for the next minutes. */
		use(sessionIds: readonly string[]): void;
		/**
		 * Evicts sessions until at most `target` bytes are in use, yielding their ids as it goes: fully read and
		 * least recently used first. The `watched` keep their newest messages, or they would be read again at once.
		 * Each step takes some ms.
		 */
		prune(target: number, watched?: readonly string[]): Iterable<string | undefined>;
		/** Rewrites the file without its free space: takes seconds if it is large, and blocks other writers. */
		rebuild(): void;
	};
	readonly outbox: {
		/** Oldest first; filtered by state if `states` is given. */
		all(states?: readonly DeliveryState[]): OutboxItem[];
		/** Ids and states of all rows, oldest first, without their contents. */
		states(): {readonly id: string; readonly sessionId: string; readonly state: DeliveryState}[];
		/** Oldest first, in any state. */
		ofSession(sessionId: string): OutboxItem[];
		get(id: string): OutboxItem | undefined;
		put(item: OutboxItem): void;
		remove(id: string): void;
		/**
		 * Takes the exclusive right to send one row until `until` (Unix ms), or extends it. False when another
		 * process holds it, or anyone holds another row of the same session: one message per session is sent at a
		 * time.
		 */
		lease(id: string, owner: string, until: number): boolean;
		release(id: string, owner: string): void;
		/** Whether another owner is sending a message of the session. `until` as for a lease taken now. */
		isLeasedElsewhere(sessionId: string, owner: string, until: number): boolean;
		/** Changes whenever a message of the session, or its sender, changes. */
		fingerprint(sessionId: string): string;
		/** The wait the service imposed on any process, while it lasts. */
		serviceWait(): Wait | undefined;
		/** Saves a wait the service imposed, unless a longer one is in effect. */
		waitForService(wait: Wait): void;
		/** Runs several of these calls as one transaction: no other process reads or writes in between. */
		exclusively<T>(run: () => T): T;
	};
	/** Two programs may write to one session: neither overwrites or removes a draft it hasn't seen. */
	readonly drafts: {
		/** Sessions with a draft, oldest draft first. */
		sessions(): string[];
		get(sessionId: string): StoredDraft | undefined;
		/**
		 * Saves a draft based on revision `known`. If another revision is stored by now, it becomes one of the
		 * session's other drafts and is returned as `displaced`.
		 */
		put(
			sessionId: string,
			draft: DraftContent & {readonly updatedAt: number},
			known?: string,
		): {readonly revision: string; readonly displaced?: DraftContent};
		/** False, removing nothing, if another revision with content other than `sent` is stored. */
		remove(sessionId: string, known: string | undefined, sent?: DraftContent): boolean;
		/** The session's other drafts, oldest first. */
		others(sessionId: string): DraftContent[];
		addOther(sessionId: string, draft: DraftContent): void;
		/**
		 * Makes the oldest other draft the draft, replacing revision `known`; `draft` becomes the newest other.
		 */
		swap(
			sessionId: string,
			draft: DraftContent | undefined,
			updatedAt: number,
			known: string | undefined,
		): StoredDraft | undefined;
	};
	/** Texts sent from the composers, oldest first, without duplicates. */
	readonly history: {
		ofSession(sessionId: string): string[];
		/** Texts sent to all other sessions. */
		ofOthers(sessionId: string): string[];
		add(sessionId: string, text: string): void;
	};
	readonly events: {
		/** False when this envelope is already stored. Only the last `maxStoredEvents` are kept. */
		add(event: HookEvent): boolean;
		/** The newest events, or those stored before the event `before`; newest first. */
		recent(limit: number, before?: Pick<HookEvent, 'ts' | 'id'>): HookEvent[];
		/** Number of stored events. */
		count(): number;
		/** Position of the event stored last by any program; 0 without events. Positions increase. */
		newestPosition(): number;
		/** Up to `limit` events stored after `place` by any program, in order, and the last one's position. */
		since(
			position: number,
			limit: number,
		): {readonly events: readonly HookEvent[]; readonly position: number};
		/** Sessions with events after `place`, by signal key. */
		sessionsSince(position: number): string[];
		signals(): Signal[];
		/** Saved unless the session has a newer signal. */
		putSignal(signal: Signal): void;
		/** Saves an event and its effects in one transaction. */
		together<T>(run: () => T): T;
	};
	/** What the user acknowledged or snoozed: one mark per session or computer. */
	readonly attention: {
		all(): AttentionMark[];
		put(mark: AttentionMark): void;
		remove(subject: Subject): void;
	};
	/** Median durations of past provisioning steps in ms, by step name. */
	readonly durations: {
		add(stepName: string, ms: number): void;
		/** Undefined with fewer than three runs. */
		median(stepName: string): number | undefined;
	};
	readonly analytics: AnalyticsTable;
	/** Small pieces of UI state (last open session, sizes, ...), as JSON values. */
	readonly settings: {
		get(name: string): unknown;
		put(name: string, value: unknown): void;
	};
	/** Changes whenever another program writes to the file; own writes don't count. */
	peerWriteCount(): number;
	/** Calls back once, at the next write by any program, including this one. Returns the cancel function. */
	onNextWrite(onWrite: () => void): () => void;
	close(): void;
};
