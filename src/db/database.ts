import type {DraftImage} from '../domain/attachment.ts';
import type {AttentionMark} from '../domain/attention.ts';
import type {DeliveryState, OutboxItem} from '../domain/delivery.ts';
import type {Fold} from '../domain/fold.ts';
import type {HookEvent} from '../domain/hook-event.ts';
import type {KnownComputer, KnownSession} from '../domain/known.ts';
import type {FileAttachment, Message, MessageRole} from '../domain/message.ts';
import type {Signal} from '../domain/signal.ts';
import type {AnalyticsTable} from './analytics.ts';

/** A message as it is kept: with the role that evidence gave it. */
export type KeptMessage = {readonly message: Message; readonly role?: MessageRole};

/**
 * Messages that exist at the service but are not in the cache: older than `before`, newer than `after`.
 * Without `after` it is the part of the history that was never read.
 */
export type Hole = {
	readonly id: string;
	readonly before: string;
	readonly after?: string;
	/** Fetches the page that ends just before `before`; absent when the service refused it or gave none. */
	readonly cursor?: string;
};

/** Facts of a session's listing, detected from data (SERVICE-NOTES, Order). Kept as one JSON value. */
export type ListingFacts = {
	/** Does the page without a cursor hold the newest messages (`tail`) or the oldest (`head`)? */
	readonly pages?: 'tail' | 'head';
	/** Order inside a page. */
	readonly inside?: 'ascending' | 'descending';
	/** Head first: the cursor that fetched the current last page. */
	readonly lastPageCursor?: string;
	/** The limit that cursor is read with. */
	readonly lastPageLimit?: number;
	/** The whole history is in the cache. */
	readonly isComplete?: boolean;
	/** Tail first: what was skipped, and the part never read. */
	readonly holes?: readonly Hole[];
	/** Head first: the cursor with which a `role=` query goes on; empty for its first page. */
	readonly roleCursors?: Partial<Record<MessageRole, string>>;
	/** Head first: both `role=` listings were read to their end. What neither held is the assistant's. */
	readonly areRolesRead?: boolean;
};

/**
 * The cached messages of a session that hold some words, in display order, and a cursor among them: it begins at the
 * message that the reader is at and stays at its place, whatever is written.
 */
export type FoundMessages = {
	/** Looks through what is kept, newest first. Each step is short, whatever is kept: a few ms. */
	readonly steps: Iterable<unknown>;
	/** There is so much to look through that a key can't wait for the first steps. */
	readonly isLong: boolean;
	/** How many were found. */
	readonly count: number;
	/** How many of them stand after the cursor. */
	readonly newer: number;
	/** Is the message at the cursor one of them? */
	readonly isAtCursor: boolean;
	/** Puts the cursor on one of them, the newest being number 0, and answers its id; absent when there is none. */
	moveTo(number: number): string | undefined;
	/** Takes in what was written since the steps were done: at the cost of what was written. */
	update(): void;
	close(): void;
};

export type FindOptions = {
	/** The message that the reader is at; absent or not cached: the newest. */
	readonly from?: string | undefined;
	/** Messages of the session were written: `update` may find others, once the steps are done. */
	readonly onWritten?: () => void;
};

/** A message that holds the words that were looked for, and what it says there, raw, on one line. */
export type FoundMessage = {
	readonly sessionId: string;
	readonly messageId: string;
	readonly snippet: string;
	/** Unix ms. */
	readonly createdAt?: number;
};

/** The cached messages of all sessions that hold some words. */
export type SearchedMessages = {
	/** Each is short, whatever is kept: some ms. It tells how many more there are. */
	readonly steps: Iterable<number>;
	/** How many can be read, the newest first: known when the steps are done. */
	readonly listed: number;
	/** From number `from` up to but not including `to`; those that were forgotten meanwhile are left out. */
	read(from: number, to: number): FoundMessage[];
};

/** An unsent draft of a session. */
export type KeptDraft = {
	readonly text: string;
	readonly images: readonly DraftImage[];
	readonly files: readonly FileAttachment[];
	/** Parts of the text that are shown folded: [start, end] in UTF-16 units, in order. */
	readonly folds?: readonly Fold[];
	readonly updatedAt: number;
};

/**
 * Everything kept on disk, by one sqlite file per profile (RELIABILITY, Kept data). Calls are synchronous and short;
 * what can't be read or written raises `StorageError`, and reads go on after a failed write. A file that can't be written opens in memory instead and says so in `problem`.
 */
export type Database = {
	/** Set when what is kept won't outlive the process, or the file is read-only: why, in one line. */
	readonly problem?: string;
	/** Not even reading the file worked: what it holds, if anything, is not known. `problem` says why. */
	readonly isUnread?: boolean;
	/** What was repaired, in one line: a damaged file was moved aside. Told once; what is kept is sound again. */
	readonly notice?: string;
	readonly computers: {
		all(): KnownComputer[];
		/** In one transaction. */
		put(...computers: readonly KnownComputer[]): void;
		remove(id: string): void;
		/** Ids that were removed at some time: what is found by itself does not bring them back. */
		forgotten(): readonly string[];
	};
	readonly sessions: {
		all(): KnownSession[];
		get(id: string): KnownSession | undefined;
		put(session: KnownSession): void;
		remove(id: string): void;
	};
	readonly messages: {
		/** Inserts and updates by id, in one transaction. */
		put(sessionId: string, messages: readonly KeptMessage[]): void;
		setRoles(sessionId: string, roles: ReadonlyMap<string, MessageRole>): void;
		remove(sessionId: string, ids: readonly string[]): void;
		/** The newest `limit` messages in display order, or those just before the message `before`. */
		tail(sessionId: string, limit: number, before?: string): KeptMessage[];
		/** The message `id` and those just after it, at most `limit`, in display order. */
		from(sessionId: string, limit: number, id: string): KeptMessage[];
		count(sessionId: string): number;
		facts(sessionId: string): ListingFacts;
		setFacts(sessionId: string, facts: ListingFacts): void;
		/** Looks for the cached messages of a session that hold the words, until it is closed. */
		find(sessionId: string, words: string, options?: FindOptions): FoundMessages;
		/** Looks for every cached message that holds the words; the newest `limit` of them can be read. */
		search(words: string, limit: number): SearchedMessages;
	};
	readonly outbox: {
		/** Oldest first; all states, or those asked for. */
		all(states?: readonly DeliveryState[]): OutboxItem[];
		/** Oldest first, all states. */
		ofSession(sessionId: string): OutboxItem[];
		get(id: string): OutboxItem | undefined;
		put(item: OutboxItem): void;
		remove(id: string): void;
		/**
		 * Takes the exclusive right to send one row until `until` (Unix ms), or prolongs it. False when another process
		 * holds it, or anyone holds another row of the same session: one message of a session is under way at a time.
		 */
		lease(id: string, owner: string, until: number): boolean;
		release(id: string, owner: string): void;
		/** Several of these calls as one: no other process reads or writes between them, and all are kept or none. */
		exclusively<T>(run: () => T): T;
	};
	readonly drafts: {
		get(sessionId: string): KeptDraft | undefined;
		put(sessionId: string, draft: KeptDraft): void;
		remove(sessionId: string): void;
	};
	/** What the user sent from the composers, oldest first, each text once. */
	readonly history: {
		ofSession(sessionId: string): string[];
		/** What was sent to every other session. */
		ofOthers(sessionId: string): string[];
		add(sessionId: string, text: string): void;
	};
	readonly events: {
		/** False when this envelope is known already. The last `keptEvents` are kept. */
		add(event: HookEvent): boolean;
		/** Newest first: the newest, or those kept before the event `before`. */
		recent(limit: number, before?: Pick<HookEvent, 'ts' | 'id'>): HookEvent[];
		/** How many are kept. */
		count(): number;
		/** Place of the one that was kept last, by any program; 0 when none is. Places go up. */
		newestPlace(): number;
		/** At most `limit` of those kept after a place, by any program, in their order, and the place of the last of them. */
		since(place: number, limit: number): {readonly events: readonly HookEvent[]; readonly place: number};
		signals(): Signal[];
		/** Kept unless a newer one of its session is. */
		putSignal(signal: Signal): void;
		/** An event and what it changes, kept as one: all of it or nothing. */
		together<T>(run: () => T): T;
	};
	/** What the user acknowledged or snoozed, one mark a session. */
	readonly attention: {
		all(): AttentionMark[];
		put(mark: AttentionMark): void;
		remove(sessionId: string): void;
	};
	/** Medians of past provisioning, ms, by step name. */
	readonly durations: {
		add(stepName: string, ms: number): void;
		/** Absent while less than three runs are known. */
		median(stepName: string): number | undefined;
	};
	readonly analytics: AnalyticsTable;
	/** Small facts of the screen (last open session, sizes, ...), as JSON values. */
	readonly settings: {
		get(name: string): unknown;
		put(name: string, value: unknown): void;
	};
	/** Another number whenever another program wrote to the file since; its own writes don't count. */
	writesElsewhere(): number;
	close(): void;
};
