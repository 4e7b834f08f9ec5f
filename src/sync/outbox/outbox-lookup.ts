import {
	isServiceError,
	LostAnswerError,
	RateLimitedError,
	ServerError,
	UnreachableError,
} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import type {ListingState} from '../../db/database.ts';
import {isStorageError} from '../../db/storage-error.ts';
import {backoff, type Wait} from '../../domain/backoff.ts';
import {isUnderWay, type OutboxItem, saysTheSame} from '../../domain/messages/delivery.ts';
import type {Message, MessageRole} from '../../domain/messages/message.ts';
import type {Clock} from '../core/clock.ts';
import {readRecentUserMessages} from '../messages/recent-user-messages.ts';
import {lookupTimeout, pauseScopeOf} from './outbox-post.ts';
import type {OutboxRows} from './outbox-rows.ts';
import {retrySoonDelay} from './outbox-step.ts';

export type OutboxLookupOptions = {
	readonly rows: OutboxRows;
	readonly list: Service['messages']['list'];
	readonly clock: Clock;
	readonly random: () => number;
	readonly factsOf: (sessionId: string) => ListingState;
	readonly ending: AbortSignal;
	/** Called when a message was found: the service has it. */
	readonly onFound: (item: OutboxItem) => void;
	/** Called when a read failed. */
	readonly onError: (item: OutboxItem, error: unknown) => void;
	/** Called when it is time to look for a row. */
	readonly onDue: (sessionId: string) => void;
};

/** State of the lookup of one row in this process. */
type Lookup = {
	readonly reads: number;
	/** Cursor to continue from, in a listing that starts with the oldest messages. */
	readonly from?: string;
};

/**
 * Finds out what happened to messages whose answer was lost: searches the user messages of their session, at
 * growing intervals.
 */
export class OutboxLookup {
	/** When to look for each row again; a row without an entry is due immediately. */
	readonly waits = new Map<string, Wait>();
	readonly #options: OutboxLookupOptions;
	readonly #looks = new Map<string, Lookup>();
	/**
	 * Cancels the timer of each row whose lookup time isn't over. Timers measure elapsed time, whatever happens
	 * to the clocks.
	 */
	readonly #timers = new Map<string, () => void>();
	readonly #askedAbout = new Set<string>();

	constructor(options: OutboxLookupOptions) {
		this.#options = options;
	}

	/**
	 * Takes over a row in state `sending` without a lease: its sender died before the answer arrived. A step of
	 * the pump.
	 */
	async takeOver({id, sessionId}: OutboxItem): Promise<number | undefined> {
		const {rows, clock} = this.#options;
		const isOurs = rows.briefly(id, () => {
			const problem = 'Quarterdeck exited before the response arrived.';
			rows.apply(id, {type: 'lost', problem, lookUntil: clock.now() + lookupTimeout});
		});
		rows.publish(sessionId);
		return isOurs ? undefined : clock.now() + retrySoonDelay;
	}

	/** Looks for a row once. A step of the pump. */
	async lookFor(item: OutboxItem): Promise<number | undefined> {
		const {rows, clock, onError} = this.#options;
		const {id, sessionId} = item;
		if (!rows.take(id)) return clock.now() + retrySoonDelay;
		return rows.hold(id, async () => {
			// Only a read that started after the deadline can prove that the message isn't there.
			const isLast = this.#isTimeUp(item);
			try {
				this.#adopt(sessionId, await this.#read(item));
				if (isLast) this.#giveUp(id, "it is not among the session's messages");
			} catch (error) {
				if (isStorageError(error)) throw error;
				onError(item, error);
				if (isLast && !mayPass(error))
					this.#giveUp(id, `the session's messages can't be read (${(error as Error).message})`);
			}
			if (isUnderWay(rows.get(id) ?? item)) this.#again(item);
			else this.forget(id);
			return undefined;
		});
	}

	/** Matches a page of messages that was read anyway; `lost` are the session's unconfirmed rows. */
	observe(
		sessionId: string,
		messages: readonly Message[],
		lost: readonly OutboxItem[],
		roles?: ReadonlyMap<string, MessageRole>,
	): void {
		const roleOf = (message: Message) => roles?.get(message.id) ?? message.role;
		this.#adopt(
			sessionId,
			messages.filter(message => roleOf(message) === 'user'),
		);
		// The same text with an unknown role proves nothing: read the user messages now, once per message.
		for (const message of messages) {
			if (roleOf(message) !== undefined || this.#askedAbout.has(message.id)) continue;
			for (const item of lost.filter(row => saysTheSame(row, message))) {
				this.#askedAbout.add(message.id);
				this.#lookSoon(item.id);
			}
		}
	}

	forget(id: string): void {
		this.waits.delete(id);
		this.#looks.delete(id);
		this.#timers.get(id)?.();
		this.#timers.delete(id);
	}

	stop(): void {
		for (const cancel of this.#timers.values()) cancel();
		this.#timers.clear();
	}

	/**
	 * Whether the lookup time is over: by the row's deadline on the first look, and by elapsed time after that.
	 */
	#isTimeUp({id, sessionId, lookUntil = 0}: OutboxItem): boolean {
		if (this.#timers.has(id)) return false;
		const {clock, onDue} = this.#options;
		// Capped, in case the clock was set back.
		const left = Math.min(lookupTimeout, lookUntil - clock.now());
		if (this.#looks.has(id) || left <= 0) return true;
		const cancel = clock.after(left, () => {
			this.#timers.delete(id);
			this.#lookSoon(id);
			onDue(sessionId);
		});
		this.#timers.set(id, cancel);
		return false;
	}

	/** Makes the row due immediately, even if its lookup had been given up. */
	#lookSoon(id: string): void {
		const now = this.#options.clock.now();
		this.waits.set(id, {since: now, until: now});
	}

	/** Reads the session's user messages since the row was sent. */
	async #read({
		id,
		sessionId,
		computerId,
		sentAt,
		createdAt,
		sentSkew,
	}: OutboxItem): Promise<readonly Message[]> {
		const {list, factsOf, rows, ending} = this.#options;
		const {reads: before, from} = this.#looks.get(id) ?? {reads: 0};
		const reads = before + 1;
		// Clear the cursor first, so that a rejected one isn't used again.
		this.#looks.set(id, {reads});
		const {pages} = factsOf(sessionId);
		const limit = pages === 'tail' ? 20 : 100;
		const recent = await readRecentUserMessages(
			query => list(sessionId, query, {signal: ending}),
			{limit, ...(computerId !== undefined && {computerId})},
			{
				since: (sentAt ?? createdAt) - rows.allowedSkew(sentSkew),
				...(pages && {pages}),
				...(from !== undefined && {from}),
			},
		);
		this.#looks.set(id, {reads, ...(recent.from !== undefined && {from: recent.from})});
		return recent.messages;
	}

	#adopt(sessionId: string, candidates: readonly Message[]): void {
		for (const item of this.#options.rows.adopt(sessionId, candidates)) {
			this.forget(item.id);
			this.#options.onFound(item);
		}
	}

	#giveUp(id: string, why: string): void {
		const problem = `No response arrived, and ${why}: the message may not have been delivered.`;
		this.#options.rows.apply(id, {type: 'giveUpLooking', problem});
	}

	/** Schedules the next look. */
	#again({id}: OutboxItem): void {
		const {clock, random} = this.#options;
		const now = clock.now();
		this.waits.set(id, {since: now, until: now + backoff(this.#looks.get(id)?.reads ?? 1, random())});
	}
}

/**
 * Whether a later read could succeed without anyone taking action. After any other error, no later read would
 * find the message.
 */
function mayPass(error: unknown): boolean {
	return (
		!isServiceError(error) ||
		error instanceof UnreachableError ||
		error instanceof RateLimitedError ||
		error instanceof ServerError ||
		error instanceof LostAnswerError ||
		pauseScopeOf(error) !== undefined
	);
}
