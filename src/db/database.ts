import type {Message, MessageRole} from '../domain/messages/message.ts';
import type {PageOrder, Place} from '../domain/messages/timeline.ts';
import type {AccountsTable} from './accounts.ts';
import type {AnalyticsTable} from './analytics.ts';
import type {attentionTable} from './attention.ts';
import type {cacheTable} from './cache.ts';
import type {draftsTable, historyTable} from './drafts.ts';
import type {durationsTable} from './durations.ts';
import type {eventsTable} from './events.ts';
import type {messagesTable} from './messages/messages.ts';
import type {outboxTable} from './outbox.ts';
import type {computersTable, sessionsTable} from './registry.ts';
import type {incidentsTable, settingsTable} from './settings.ts';

/** A message to cache with its inferred role and its place; by default, by its time and behind others of that time. */
export type MessageToCache = {readonly message: Message; readonly role?: MessageRole; readonly place?: Place};

export type CachedMessage = Place & {readonly message: Message; readonly role?: MessageRole};

/** Messages between `after` and `before` that aren't cached; without `after`, all before `before`. */
export type Gap = {
	readonly id: string;
	readonly before: string;
	readonly after?: string;
	/** Fetches the page that ends just before `before`; absent when the service rejected it or sent none. */
	readonly cursor?: string;
};

/** Facts about a session's message listing that the contract leaves open: inferred from data, stored as JSON. */
export type ListingState = {
	/** Whether the page without a cursor holds the newest messages or the oldest. */
	readonly pageOrder?: PageOrder;
	/** Oldest first: the cursor that fetched the current last page. */
	readonly lastPageCursor?: string;
	readonly isComplete?: boolean;
	/** Oldest first: only the newest messages are still cached, and reading continues after them. */
	readonly isPruned?: boolean;
	/** The service says there is more, but gives no cursor to it. */
	readonly isCutShort?: boolean;
	/** Newest first: skipped ranges, and the part never read. */
	readonly gaps?: readonly Gap[];
	/** Oldest first: the cursor that fetched the last page of each `role=` list. */
	readonly roleCursors?: {readonly user?: string; readonly tool?: string};
	/** When to read the `role=` lists once more (Unix ms), and the oldest message that they may have lacked. */
	readonly askAgain?: {readonly at: number; readonly from: string};
};

/** Whether all messages of the listing are cached, as far as the service tells. */
export function isWholeListing({isComplete = false, isCutShort = false, gaps = []}: ListingState): boolean {
	return isComplete && !isCutShort && gaps.length === 0;
}

/**
 * The cached messages of a session that match some words, in display order, with a cursor among them. The
 * cursor starts at the reader's message and stays there, whatever is written.
 */
export type FoundMessages = {
	/** Searches the cache, newest first. Each step takes a few ms, regardless of the cache's size. */
	readonly steps: Iterable<unknown>;
	/** The search is too long to run its first steps within a keypress. */
	readonly isLong: boolean;
	readonly count: number;
	/** Number of matches after the cursor. */
	readonly newer: number;
	readonly isAtCursor: boolean;
	readonly isIncomplete?: boolean;
	/** Moves the cursor to a match (0 is the newest) and returns its id, or undefined if there is none. */
	moveTo(number: number): string | undefined;
	/** Applies the writes since the steps finished. The cost depends only on the amount written. */
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
	/** Bytes of transcripts that were searched, unless all were; known when the steps are done. */
	readonly searchedBytes?: number | undefined;
	/** Matches `from` up to but not including `to`, without those deleted in the meantime. */
	read(from: number, to: number): FoundMessage[];
};

export type OpenAccount = {
	readonly id: string;
	/** Whether the current key still opens this account. Checked again right before each post. */
	isCurrent(): boolean;
};

/** Machine-wide data: the accounts, and the hook events, which every account shows. */
export type Machine = Pick<
	Database,
	| 'problem'
	| 'isPartial'
	| 'incidents'
	| 'events'
	| 'settings'
	| 'peerWriteCount'
	| 'onNextWrite'
	| 'onChange'
	| 'close'
> & {
	readonly accounts: AccountsTable;
	/** Missing files are not created. */
	readonly onlyReads: boolean;
};

/**
 * All persistent data: one sqlite file per account, and one for the machine (`Machine`). Calls are
 * synchronous and short. Failures throw `StorageError`; reads still work after a failed write. A file that
 * can't be written is opened in memory, and `problem` says so.
 */
export type Database = {
	/** Set when data won't outlive the process: the reason, in one line. */
	readonly problem?: string;
	/**
	 * The file can't be used, as when a newer program wrote it: at most its sessions, computers and drafts were read.
	 * `problem` says why.
	 */
	readonly isPartial?: boolean;
	readonly incidents: ReturnType<typeof incidentsTable>;
	/**
	 * Calls `listener` when a sound file, with all rows that could be read, has replaced one that was damaged, lost
	 * or replaced at run time; and when `problem` changes. Callers should then rewrite data they have only in
	 * memory. Returns the unsubscribe function.
	 */
	onChange(listener: () => void): () => void;
	/** The account that owns this data; absent in the machine's database. */
	readonly account?: OpenAccount;
	readonly computers: ReturnType<typeof computersTable>;
	readonly sessions: ReturnType<typeof sessionsTable>;
	readonly messages: ReturnType<typeof messagesTable>;
	readonly cache: ReturnType<typeof cacheTable>;
	readonly outbox: ReturnType<typeof outboxTable>;
	readonly drafts: ReturnType<typeof draftsTable>;
	readonly history: ReturnType<typeof historyTable>;
	readonly events: ReturnType<typeof eventsTable>;
	readonly attention: ReturnType<typeof attentionTable>;
	readonly durations: ReturnType<typeof durationsTable>;
	readonly analytics: AnalyticsTable;
	readonly settings: ReturnType<typeof settingsTable>;
	/** Changes whenever another program writes to the file or replaces it; own writes don't count. */
	peerWriteCount(): number;
	/** Calls `onWrite` at the next write by any program, including this one. Call the returned function then, or before. */
	onNextWrite(onWrite: () => void): () => void;
	close(): void;
};
