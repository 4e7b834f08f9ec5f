import {
	isServiceError,
	LostResponseError,
	RateLimitedError,
	ServerError,
	UnreachableError,
} from '../../api/errors.ts';
import type {MessageQuery} from '../../api/messages.ts';
import {isStorageError} from '../../db/file/storage-error.ts';
import {backoff, type Wait} from '../../domain/backoff.ts';
import {append} from '../../domain/large-arrays.ts';
import {hasSameContent, isUnderWay, type OutboxItem} from '../../domain/messages/delivery.ts';
import type {Message, MessageRole} from '../../domain/messages/message.ts';
import {type PageOrder, pageOrderOf} from '../../domain/messages/timeline.ts';
import {type ReadPage, walk} from '../messages/listing.ts';
import {heldScopeOf, lookupTimeout} from './outbox-attempt.ts';
import type {OutboxRows} from './outbox-rows.ts';
import type {OutboxSenderOptions} from './outbox-sender.ts';

type OutboxLookupOptions = Pick<
	Required<OutboxSenderOptions>,
	'database' | 'service' | 'clock' | 'scheduler' | 'random'
> & {
	readonly rows: OutboxRows;
	readonly ending: AbortSignal;
};

/** Result of one lookup: the rows whose message the service has, and the error if the read failed. */
type LookupResult = {readonly found: readonly OutboxItem[]; readonly error?: unknown};

/** Progress of the lookup of one row in this process. */
type Progress = {
	readonly reads: number;
	/** Cursor to continue from, in a listing that starts with the oldest messages. */
	readonly from?: string;
};

/** Looks for messages whose answer was lost, among their session's user messages, ever more rarely. */
export class OutboxLookup {
	/** When to look for each row again; a row without an entry is due immediately. */
	readonly waits = new Map<string, Wait>();
	readonly #options: OutboxLookupOptions;
	readonly #progress = new Map<string, Progress>();
	/** Cancels the timer of each row that ends its lookup time, even if the system's clock is set back. */
	readonly #timers = new Map<string, () => void>();
	/** Ids of messages of unknown role that caused a lookup. */
	readonly #checkedMessages = new Set<string>();

	constructor(options: OutboxLookupOptions) {
		this.#options = options;
	}

	/** Looks for a row once, while this process has its lease. `onTimeUp` is called when the last lookup is due. */
	async look(item: OutboxItem, onTimeUp: () => void): Promise<LookupResult> {
		const {id, sessionId} = item;
		// Only a read that started after the deadline can prove that the message isn't there.
		const isLast = this.#isTimeUp(item, onTimeUp);
		let result: LookupResult;
		try {
			result = {found: this.#confirmFound(sessionId, await this.#read(item))};
			if (isLast) this.#giveUp(id, "it is not among the session's messages");
		} catch (error) {
			if (isStorageError(error)) throw error;
			result = {found: [], error};
			if (isLast && !isTemporary(error))
				this.#giveUp(id, `the session's messages can't be read (${(error as Error).message})`);
		}
		if (isUnderWay(this.#options.rows.get(id) ?? item)) this.#scheduleNext(id);
		else this.forget(id);
		return result;
	}

	/** Matches a page that was read anyway against the session's unconfirmed rows; returns those found. */
	observe(
		sessionId: string,
		messages: readonly Message[],
		unconfirmed: readonly OutboxItem[],
		roles?: ReadonlyMap<string, MessageRole>,
	): readonly OutboxItem[] {
		const roleOf = (message: Message) => roles?.get(message.id) ?? message.role;
		const found = this.#confirmFound(
			sessionId,
			messages.filter(message => roleOf(message) === 'user'),
		);
		// The same text with an unknown role proves nothing: read the user messages now, once per message.
		for (const message of messages) {
			if (roleOf(message) !== undefined || this.#checkedMessages.has(message.id)) continue;
			for (const item of unconfirmed.filter(row => hasSameContent(row, message))) {
				this.#checkedMessages.add(message.id);
				this.#lookSoon(item.id);
			}
		}
		return found;
	}

	forget(id: string): void {
		this.waits.delete(id);
		this.#progress.delete(id);
		this.#timers.get(id)?.();
		this.#timers.delete(id);
	}

	stop(): void {
		for (const cancel of this.#timers.values()) cancel();
		this.#timers.clear();
	}

	/** Whether the time to look is over: by its deadline at first, then by a timer, which this starts. */
	#isTimeUp({id, lookUntil = 0}: OutboxItem, onTimeUp: () => void): boolean {
		if (this.#timers.has(id)) return false;
		const {clock} = this.#options;
		// Capped, in case the clock was set back.
		const left = Math.min(lookupTimeout, lookUntil - clock.now());
		if (this.#progress.has(id) || left <= 0) return true;
		const cancel = clock.after(left, () => {
			this.#timers.delete(id);
			this.#lookSoon(id);
			onTimeUp();
		});
		this.#timers.set(id, cancel);
		return false;
	}

	/** Makes a lookup of the row due now, even if earlier ones were given up. */
	#lookSoon(id: string): void {
		const now = this.#options.clock.now();
		this.waits.set(id, {since: now, until: now});
	}

	/** Reads the session's user messages since the row was sent. */
	async #read(item: OutboxItem): Promise<readonly Message[]> {
		const {id, sessionId, computerId, sentAt, createdAt, sentSkew} = item;
		const {service, database, rows, scheduler, ending} = this.#options;
		const {reads, from} = this.#progress.get(id) ?? {reads: 0};
		// Clear the cursor first, so that a rejected one isn't used again.
		this.#progress.set(id, {reads: reads + 1});
		const {pageOrder} = database.messages.listing(sessionId);
		const limit = pageOrder === 'newest-first' ? 20 : 100;
		const recent = await readRecentUserMessages(
			query =>
				scheduler.request(
					`outbox ${sessionId}`,
					signal => service.messages.list(sessionId, query, {signal: AbortSignal.any([signal, ending])}),
					{priority: 'urgent'},
				),
			{limit, computerId},
			{since: (sentAt ?? createdAt) - rows.allowedSkew(sentSkew), pageOrder, from},
		);
		this.#progress.set(id, {reads: reads + 1, from: recent.from});
		return recent.messages;
	}

	#confirmFound(sessionId: string, candidates: readonly Message[]): readonly OutboxItem[] {
		const found = this.#options.rows.confirmFound(sessionId, candidates);
		for (const {id} of found) this.forget(id);
		return found;
	}

	#giveUp(id: string, why: string): void {
		const problem = `No response arrived, and ${why}: the message may not have been delivered.`;
		this.#options.rows.apply(id, {type: 'giveUpLooking', problem});
	}

	#scheduleNext(id: string): void {
		const {clock, random} = this.#options;
		const now = clock.now();
		this.waits.set(id, {since: now, until: now + backoff(this.#progress.get(id)?.reads ?? 1, random())});
	}
}

/** Whether a later read could succeed without anyone taking action. */
function isTemporary(error: unknown): boolean {
	return (
		!isServiceError(error) ||
		error instanceof UnreachableError ||
		error instanceof RateLimitedError ||
		error instanceof ServerError ||
		error instanceof LostResponseError ||
		heldScopeOf(error) !== undefined
	);
}

const maxPages = 20;

/** Messages, and the cursor to continue from if the service lists the oldest first. */
type RecentMessages = {readonly messages: readonly Message[]; readonly from?: string};

/**
 * Reads the user messages of a session created at or after `since` (Unix ms), in whichever order the
 * service lists them. If the newest come first, reads until a page holds older ones. If the oldest come
 * first, reads to the end; pass `from` to continue there next time. If the order is unknown, the second
 * page decides.
 */
export async function readRecentUserMessages(
	read: ReadPage,
	query: MessageQuery,
	{since, pageOrder, from}: {since: number; pageOrder?: PageOrder; from?: string},
): Promise<RecentMessages> {
	const messages: Message[] = [];
	let order = from === undefined ? pageOrder : 'oldest-first';
	let lastCursor = from;
	let previousPage: readonly Message[] | undefined;
	let pagesLeft = maxPages;
	for await (const page of walk(read, {...query, role: 'user', cursor: from})) {
		append(
			messages,
			page.items.filter(({createdAt}) => (createdAt ?? since) >= since),
		);
		if (previousPage) order ??= pageOrderOf(previousPage, page.items) ?? 'newest-first';
		lastCursor = page.nextCursor ?? page.cursor;
		const hasOlder = page.items.some(({createdAt}) => createdAt !== undefined && createdAt < since);
		if ((order === 'newest-first' && hasOlder) || --pagesLeft === 0) break;
		previousPage = page.items;
	}
	return order === 'oldest-first' && lastCursor !== undefined ? {messages, from: lastCursor} : {messages};
}
