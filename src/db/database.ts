import type {DraftImage} from '../domain/attachment.ts';
import type {AttentionMark} from '../domain/attention.ts';
import type {CollapsedRange} from '../domain/collapsed-range.ts';
import type {DeliveryState, OutboxItem} from '../domain/delivery.ts';
import type {HookEvent} from '../domain/hook-event.ts';
import type {KnownComputer, KnownSession} from '../domain/known.ts';
import type {FileAttachment, Message, MessageRole} from '../domain/message.ts';
import type {Signal} from '../domain/signal.ts';
import type {Wait} from '../domain/wait.ts';
import type {AccountsTable} from './accounts.ts';
import type {AnalyticsTable} from './analytics.ts';
import type {Incident} from './incidents.ts';

/** A message as it is kept: with the role that evidence gave it. */
export type CachedMessage = {readonly message: Message; readonly role?: MessageRole};

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

/** Facts about a session's message listing that the contract doesn't state: detected from data, stored as JSON. */
export type ListingState = {
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
	/** The service says that there is more than was read, and gives no way to it. */
	readonly isCutShort?: boolean;
	/** Tail first: what was skipped, and the part never read. */
	readonly holes?: readonly Hole[];
	/** Head first: the cursor with which a `role=` query goes on; empty for its first page. */
	readonly roleCursors?: Partial<Record<MessageRole, string>>;
	/** Head first: of messages up to this time (Unix ms) those kept without a role are the assistant's. */
	readonly assistantUpTo?: number;
	/** By which rule the kept roles were told. */
	readonly roleRule?: number;
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

/** What the cached messages of a session take, and when it was last read. */
export type CachedSession = {
	readonly sessionId: string;
	readonly messages: number;
	readonly bytes: number;
	readonly oldestAt?: number;
	readonly usedAt?: number;
};

/** An unsent draft of a session. */
export type KeptDraft = {
	readonly text: string;
	readonly images: readonly DraftImage[];
	readonly files: readonly FileAttachment[];
	/** Parts of the text that are shown folded: [start, end] in UTF-16 units, in order. */
	readonly folds?: readonly CollapsedRange[];
};

/** As it is stored. `revision` is another one after each save, by any program. */
export type StoredDraft = KeptDraft & {readonly updatedAt: number; readonly revision: string};
/** The account that a database was opened for. */
export type OpenAccount = {
	readonly id: string;
	/** Is it still an account of its own that the key in use opens? Asked again right before anything is posted. */
	isCurrent(): boolean;
};

/** What belongs to the machine: its accounts, and the hook events, which every account shows. */
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
 * Everything kept on disk, by one sqlite file per account, and one of the machine (`Machine`). Calls are synchronous and short;
 * what can't be read or written raises `StorageError`, and reads go on after a failed write. A file that can't be written opens in memory instead and says so in `problem`.
 */
export type Database = {
	/** Set when what is kept won't outlive the process, or the file is read-only: why, in one line. */
	readonly problem?: string;
	/** Not even reading the file worked: what it holds, if anything, is not known. `problem` says why. */
	readonly isUnread?: boolean;
	/** What was repaired, in one line: a damaged file was moved aside. Told once; what is kept is sound again. */
	readonly notice?: string;
	/** What happened to the file, oldest first, until the user acknowledges it: stored with it. */
	readonly incidents: {
		all(): Incident[];
		/** Something happened to another file of this machine: stored, and told like what happens to this one. */
		add(incident: Incident): void;
		acknowledge(): void;
	};
	/**
	 * Called when a file that was damaged, lost or replaced while running has a sound one in its place, with what could be
	 * read; and when `problem` changes. What is in memory alone is to be written again then. The answer ends it.
	 */
	onChange(listener: () => void): () => void;
	/** Whose data this is; absent in the machine's database. */
	readonly account?: OpenAccount;
	readonly computers: {
		all(): KnownComputer[];
		/** In the order of `all`. */
		ids(): string[];
		get(id: string): KnownComputer | undefined;
		/** In one transaction. */
		put(...computers: readonly KnownComputer[]): void;
		remove(id: string): void;
		/** Ids that were removed at some time: what is found by itself does not bring them back. */
		forgotten(): readonly string[];
	};
	readonly sessions: {
		all(): KnownSession[];
		/** In the order of `all`. */
		ids(): string[];
		get(id: string): KnownSession | undefined;
		put(session: KnownSession): void;
		remove(id: string): void;
	};
	readonly messages: {
		/** Inserts and updates by id, in one transaction. */
		put(sessionId: string, messages: readonly CachedMessage[]): void;
		setRoles(sessionId: string, roles: ReadonlyMap<string, MessageRole>): void;
		/** Forgets which of the kept messages have this role. */
		forgetRole(sessionId: string, role: MessageRole): void;
		remove(sessionId: string, ids: readonly string[]): void;
		/** The newest `limit` messages in display order, or those just before the message `before`. */
		tail(sessionId: string, limit: number, before?: string): CachedMessage[];
		/** The message `id` and those just after it, at most `limit`, in display order. */
		from(sessionId: string, limit: number, id: string): CachedMessage[];
		count(sessionId: string): number;
		listing(sessionId: string): ListingState;
		setListingState(sessionId: string, facts: ListingState): void;
		/** Looks for the cached messages of a session that hold the words, until it is closed. */
		find(sessionId: string, words: string, options?: FindOptions): FoundMessages;
		/** Looks for every cached message that holds the words; the newest `limit` of them can be read. */
		search(words: string, limit: number): SearchedMessages;
	};
	/** The cached messages as a whole. They can be read from the service again: what is long unused is let go for room. */
	readonly cache: {
		/** Bytes of the file in use, by whatever, and free inside it. */
		size(): {readonly used: number; readonly free: number};
		totals(): {readonly sessions: number; readonly messages: number};
		/** What each session takes, the largest first: reads all of it. Times are Unix ms. */
		sessions(): CachedSession[];
		/** These are open: no program lets go of their messages for the next minutes. */
		use(sessionIds: readonly string[]): void;
		/**
		 * Lets go of sessions until no more than `target` bytes are used, and answers them as it goes: those read to their end
		 * and longest unused first. Each step takes some ms.
		 */
		prune(target: number): Iterable<string | undefined>;
		/** Writes the whole file anew without its free room: seconds for a large one, while nobody else can write. */
		rebuild(): void;
	};
	readonly outbox: {
		/** Oldest first; all states, or those asked for. */
		all(states?: readonly DeliveryState[]): OutboxItem[];
		/** Which rows there are and how they stand, oldest first, without their contents. */
		states(): {readonly id: string; readonly sessionId: string; readonly state: DeliveryState}[];
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
		/** Does another owner send a message of the session? `until` as for a lease that is taken now. */
		isLeasedElsewhere(sessionId: string, owner: string, until: number): boolean;
		/** Another text whenever a message of the session has changed, or who sends it. */
		fingerprint(sessionId: string): string;
		/** The wait that the service asked any process for, while it lasts. */
		serviceWait(): Wait | undefined;
		/** Keeps a wait that the service asked for; a longer one that lasts already stays. */
		waitForService(wait: Wait): void;
		/** Several of these calls as one: no other process reads or writes between them, and all are kept or none. */
		exclusively<T>(run: () => T): T;
	};
	/** Two programs may write to one session: neither overwrites or removes what it has not seen. */
	readonly drafts: {
		/** Sessions that have one, the oldest draft first. */
		sessions(): string[];
		get(sessionId: string): StoredDraft | undefined;
		/**
		 * Saves a draft that began from the revision `known`. When another one is stored by now, that becomes one of the
		 * session's other drafts, and is answered as `displaced`.
		 */
		put(
			sessionId: string,
			draft: KeptDraft & {readonly updatedAt: number},
			known?: string,
		): {readonly revision: string; readonly displaced?: KeptDraft};
		/** False, and nothing is removed, when another revision is stored that says something else than `sent`. */
		remove(sessionId: string, known: string | undefined, sent?: KeptDraft): boolean;
		/** What was written to the session apart from its draft, oldest first. */
		others(sessionId: string): KeptDraft[];
		addOther(sessionId: string, draft: KeptDraft): void;
		/** Makes the oldest of those the draft, in the place of revision `known`; `draft` becomes the newest of them. */
		swap(
			sessionId: string,
			draft: KeptDraft | undefined,
			updatedAt: number,
			known: string | undefined,
		): StoredDraft | undefined;
	};
	/** What the user sent from the composers, oldest first, each text once. */
	readonly history: {
		ofSession(sessionId: string): string[];
		/** What was sent to every other session. */
		ofOthers(sessionId: string): string[];
		add(sessionId: string, text: string): void;
	};
	readonly events: {
		/** False when this envelope is known already. The last `maxStoredEvents` are kept. */
		add(event: HookEvent): boolean;
		/** Newest first: the newest, or those kept before the event `before`. */
		recent(limit: number, before?: Pick<HookEvent, 'ts' | 'id'>): HookEvent[];
		/** How many are kept. */
		count(): number;
		/** Place of the one that was kept last, by any program; 0 when none is. Places go up. */
		newestPosition(): number;
		/** At most `limit` of those kept after a place, by any program, in their order, and the place of the last of them. */
		since(place: number, limit: number): {readonly events: readonly HookEvent[]; readonly place: number};
		/** Sessions of the events kept after a place, by the keys of their signals. */
		sessionsSince(place: number): string[];
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
	peerWriteCount(): number;
	/** Calls back once, at the next write of any program, this one's too. Answers how to end it. */
	onNextWrite(onWrite: () => void): () => void;
	close(): void;
};
