import {AbortError, RateLimitedError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import {isStorageError, unlessStorageFails} from '../../db/file/storage-error.ts';
import {backoff} from '../../domain/backoff.ts';
import type {Clock} from '../../domain/clock.ts';
import type {OpenEnum} from '../../domain/known.ts';
import {
	canDiscard,
	deliver,
	isDelivered,
	newOutboxItem,
	type OutboxDraft,
	type OutboxItem,
	type Unreached,
} from '../../domain/messages/delivery.ts';
import type {AddedMessage, Message, MessageRole} from '../../domain/messages/message.ts';
import type {SessionStatus} from '../../domain/sessions/session.ts';
import type {OutboxStore} from '../../state/stores.ts';
import type {Scheduler} from '../core/scheduler.ts';
import {
	eventAfterError,
	heldScopeOf,
	nextOutboxStep,
	type OutboxStep,
	postMessage,
	retryDelay,
} from './outbox-attempt.ts';
import {OutboxLookup} from './outbox-lookup.ts';
import {OutboxRows} from './outbox-rows.ts';

export type OutboxSenderOptions = {
	readonly database: Database;
	readonly service: {readonly messages: Pick<Service['messages'], 'add' | 'isAddIdempotent' | 'list'>};
	readonly store: OutboxStore;
	readonly clock: Clock;
	/** Name of this process among those that share the database; unique to each start. */
	readonly owner: string;
	/** Runs a call when it is its turn, one per key at a time. */
	readonly scheduler?: Pick<Scheduler, 'request'>;
	readonly random?: () => number;
	/** Service clock minus ours, ms; `undefined` if unknown. */
	readonly skew?: () => number | undefined;
	/** Called when the service has the message, with the agent's status if the answer had it. */
	readonly onAccepted?: (item: OutboxItem, status?: OpenEnum<SessionStatus>) => void;
	/** Called when sending stops for a session (402, 403) or, if the key is invalid (401), for all. */
	readonly onHeld?: (item: OutboxItem, error: Error) => void;
	/** Called after a failed post with the row as it is since. */
	readonly onNotAccepted?: (item: OutboxItem, error: unknown) => void;
	readonly onWait?: (sessionId: string, wait: OutboxStep & {kind: 'wait'}) => void;
	/** Called when there is nothing more to do for a session's outbox until something changes. */
	readonly onRest?: (sessionId: string) => void;
	readonly isAtWork?: (sessionId: string) => boolean;
	/** Whether one of our messages certainly waits its turn at the service: later ones wait here. */
	readonly isTurnWaited?: (sessionId: string) => boolean;
	/** Whether a 404 may mean that the session was created a moment ago. */
	readonly isStarting?: (item: OutboxItem) => boolean;
};

const defaults = {
	scheduler: {
		request: <T>(_key: string, call: (signal: AbortSignal) => Promise<T>) =>
			call(new AbortController().signal),
	},
	random: Math.random,
	skew: () => undefined,
	onAccepted: () => {},
	onHeld: () => {},
	onNotAccepted: () => {},
	onWait: () => {},
	onRest: () => {},
	isAtWork: () => false,
	isTurnWaited: () => false,
	isStarting: () => false,
};

/** How often a session that waits looks for writes of other processes, ms. */
const lookInterval = 1_000;
/** Delivered rows are removed after this long, ms; until then no other message can be mistaken for theirs. */
const deliveredLifetime = 24 * 60 * 60_000;

/** Sends the messages in the outbox in order, and finds out what happened to them. */
export class OutboxSender {
	readonly #options: Required<OutboxSenderOptions>;
	readonly #rows: OutboxRows;
	readonly #lookup: OutboxLookup;
	readonly #ending = new AbortController();
	/** The current step of each session; one at a time. */
	readonly #steps = new Map<string, Promise<void>>();
	/** Sessions waiting for a time, and how to cancel that. */
	readonly #waiting = new Map<string, () => void>();
	readonly #heldSessions = new Set<string>();
	#isAllHeld = false;
	/** Ids of messages delivered by this program, or before the last check for other programs' changes. */
	readonly #knownDelivered = new Set<string>();

	constructor(overrides: OutboxSenderOptions) {
		const options = {...defaults, ...overrides};
		this.#options = options;
		this.#rows = new OutboxRows(options);
		this.#lookup = new OutboxLookup({...options, rows: this.#rows, ending: this.#ending.signal});
	}

	/** Fills the store from disk. */
	load(): void {
		this.#removeOld();
		const {outbox} = this.#options.database;
		const delivered = unlessStorageFails(outbox.states)?.filter(isDelivered) ?? [];
		for (const {id} of delivered) this.#knownDelivered.add(id);
		for (const sessionId of sessionsOf(outbox.all())) this.#rows.publish(sessionId);
	}

	/** Resumes what an earlier run left unfinished, and looks for messages that were being sent. */
	start(): void {
		this.load();
		for (const sessionId of this.#options.store.getState().bySession.keys()) this.pump(sessionId);
	}

	/** Ends all calls and timers; resolves when none is left. */
	async stop(): Promise<void> {
		this.#ending.abort();
		this.#lookup.stop();
		for (const sessionId of [...this.#waiting.keys()]) this.#stopWaiting(sessionId);
		await Promise.all(this.#steps.values());
		this.#rows.flush();
	}

	/** Adds a message, which is on disk when this returns. Throws `StorageError` if it can't be saved. */
	enqueue(sessionId: string, draft: OutboxDraft): OutboxItem {
		const item = newOutboxItem(sessionId, draft, {
			accountId: this.#options.database.account?.id,
			createdAt: this.#options.clock.now(),
		});
		this.#rows.add(item);
		this.pump(sessionId);
		return item;
	}

	/** Does the next step of a session's outbox. Call it whenever that step may have changed. */
	pump(sessionId: string): void {
		this.#stopWaiting(sessionId);
		if (this.#ending.signal.aborted || this.#steps.has(sessionId)) return;
		if (!this.#rows.flush()) {
			this.#waitUntil(sessionId, this.#retryAt());
			return;
		}
		const step = this.#nextStep(sessionId);
		if (step.kind === 'rest') {
			this.#options.onRest(sessionId);
			return;
		}
		if (step.kind === 'wait') {
			this.#waitUntil(sessionId, step.until);
			this.#options.onWait(sessionId, step);
			return;
		}
		this.#steps.set(sessionId, this.#finish(sessionId, this.#perform(step)));
	}

	/** Whether this process is posting or looking for one of the session's messages. */
	isBusy(sessionId: string): boolean {
		return this.#steps.has(sessionId);
	}

	/** Sends a message again by the user's choice; an unconfirmed one may be posted twice. */
	resend(id: string): void {
		const item = this.#rows.apply(id, {type: 'resend'});
		if (!item) return;
		this.#lookup.forget(id);
		this.#heldSessions.delete(item.sessionId);
		this.pump(item.sessionId);
	}

	/** Removes a message that isn't on the wire from the outbox and returns it. */
	discard(id: string): OutboxItem | undefined {
		const item = this.#rows.remove(id, canDiscard);
		if (!item) return undefined;
		this.#lookup.forget(id);
		this.pump(item.sessionId);
		return item;
	}

	/** Takes over other programs' changes; returns the sessions with newly delivered messages. */
	readPeerWrites(): readonly string[] {
		const shown = new Map(
			[...this.#options.store.getState().bySession.values()].flat().map(item => [item.id, item]),
		);
		const stored = unlessStorageFails(this.#options.database.outbox.states);
		if (!stored) return [];
		// Not by what is shown: the store may have it already, from a session that waits here.
		const newlyDelivered = stored.filter(row => isDelivered(row) && !this.#knownDelivered.has(row.id));
		for (const {id} of newlyDelivered) this.#knownDelivered.add(id);
		const changed = stored
			.filter(({id, state}) => shown.has(id) || state !== 'seen')
			.filter(({id, state}) => shown.get(id)?.state !== state);
		const storedIds = new Set(stored.map(({id}) => id));
		const removed = [...shown.values()].filter(({id}) => !storedIds.has(id));
		for (const sessionId of sessionsOf([...changed, ...removed])) this.#rows.publish(sessionId);
		return [...sessionsOf(newlyDelivered)];
	}

	/** Call when the session's turn may have ended, which queued messages wait for. */
	turnMoved(sessionId: string): void {
		const rows = this.#options.store.getState().bySession.get(sessionId) ?? [];
		if (rows.some(({state}) => state === 'queued')) this.pump(sessionId);
	}

	/** Call with every page of messages read: confirms sent messages without further requests. */
	observe(sessionId: string, messages: readonly Message[], roles?: ReadonlyMap<string, MessageRole>): void {
		const shown = this.#options.store.getState().bySession.get(sessionId) ?? [];
		if (!shown.some(({state}) => state === 'accepted' || state === 'unconfirmed')) return;
		const messageIds = new Set(messages.map(message => message.id));
		for (const {id, state, messageId} of shown) {
			if (state === 'accepted' && messageId && messageIds.has(messageId))
				this.#rows.apply(id, {type: 'seen'});
		}
		const unconfirmed = shown.filter(({state}) => state === 'unconfirmed');
		if (unconfirmed.length === 0) return;
		const found = this.#lookup.observe(sessionId, messages, unconfirmed, roles);
		for (const item of found) this.#accepted(item);
		this.pump(sessionId);
	}

	/** Writes again what a replaced database file has lost. */
	restore(): void {
		this.#rows.restore();
	}

	/** Sends blocked messages, after the key changed or when the user wants to retry. */
	resume(): void {
		this.#isAllHeld = false;
		this.#heldSessions.clear();
		for (const sessionId of this.#options.store.getState().bySession.keys()) this.pump(sessionId);
	}

	/** Call when the service or a computer can be reached again: sends what waited only for that. */
	reached(what: Unreached): void {
		for (const sessionId of [...this.#waiting.keys()]) {
			const shown = this.#options.store.getState().bySession.get(sessionId) ?? [];
			const unreached = shown.filter(row => row.unreached === what);
			for (const {id} of unreached) this.#rows.apply(id, {type: 'reached', what});
			if (unreached.length > 0) this.pump(sessionId);
		}
	}

	#nextStep(sessionId: string): OutboxStep {
		return nextOutboxStep(this.#rows.ofSession(sessionId), {
			now: this.#options.clock.now(),
			isHeld: this.#isAllHeld || this.#heldSessions.has(sessionId),
			isTurnWaited: this.#options.isTurnWaited(sessionId),
			isWithAnother: this.#rows.isWithAnother(sessionId),
			serviceWait: unlessStorageFails(this.#options.database.outbox.serviceWait),
			lookupWaits: this.#lookup.waits,
		});
	}

	/** Resolves to false if the step couldn't be performed now, for example as another process has the row. */
	async #perform({kind, item}: OutboxStep & {item: OutboxItem}): Promise<boolean> {
		if (kind === 'take-over') return this.#rows.takeOver(item);
		if (kind === 'send') return this.#send(item);
		// An unreachable service can't say; it is asked again at the next look.
		const isIdempotent = await this.#options.service.messages.isAddIdempotent().catch(() => false);
		return isIdempotent ? this.#repeat(item) : this.#look(item);
	}

	/** Queues a message whose answer was lost: the service takes it once. */
	#repeat({id, tries}: OutboxItem): boolean {
		const {clock, random} = this.#options;
		const at = clock.now();
		this.#lookup.forget(id);
		this.#rows.apply(id, {type: 'repeat', at, notBefore: at + backoff(tries, random())});
		return true;
	}

	/** Waits for a step to end, then continues with the next one, now or later. */
	async #finish(sessionId: string, step: Promise<boolean>): Promise<void> {
		const isDone = await step.catch(error => {
			if (!isStorageError(error)) throw error;
			return false;
		});
		this.#steps.delete(sessionId);
		if (isDone || this.#ending.signal.aborted) this.pump(sessionId);
		else this.#waitUntil(sessionId, this.#retryAt());
	}

	/** Posts a message if it is still next. False if it had no turn or another process has it. */
	async #send({id, sessionId}: OutboxItem): Promise<boolean> {
		let claimed: ReturnType<OutboxRows['claim']> | undefined;
		try {
			const post = async (signal: AbortSignal) => {
				if (this.#ending.signal.aborted) return;
				claimed = this.#rows.claim(id, () => this.#nextStep(sessionId));
				if (typeof claimed !== 'string')
					await this.#post(claimed, AbortSignal.any([signal, this.#ending.signal]));
			};
			await this.#options.scheduler.request(`outbox ${sessionId}`, post, {priority: 'urgent'});
		} catch (error) {
			// The post of a claimed row has failed, and the row already records the error.
			if (claimed !== undefined) return true;
			if (isStorageError(error) || error instanceof AbortError) return false;
			throw error;
		}
		return claimed !== 'elsewhere';
	}

	/** Posts a claimed row exactly as it was claimed, and records the result in it. Throws the post's error. */
	async #post(item: OutboxItem, signal: AbortSignal): Promise<void> {
		this.#rows.publish(item.sessionId);
		const {service, database, isAtWork} = this.#options;
		const isBehind = isAtWork(item.sessionId);
		await this.#rows.withLease(item.id, async () => {
			let added: AddedMessage;
			try {
				added = await postMessage(service.messages, database.account, item, signal);
			} catch (error) {
				this.#recordFailure(item, error);
				throw error;
			}
			const event = {type: 'accepted', messageId: added.messageId, isBehind} as const;
			// The row is gone if its account was forgotten meanwhile, but the service has the message.
			this.#accepted(this.#rows.apply(item.id, event) ?? deliver(item, event), added.status);
		});
	}

	#accepted(item: OutboxItem, status?: OpenEnum<SessionStatus>): void {
		this.#knownDelivered.add(item.id);
		this.#options.onAccepted(item, status);
	}

	#recordFailure(item: OutboxItem, error: unknown): void {
		const {clock, random, isStarting, onNotAccepted} = this.#options;
		const context = {now: clock.now(), random, isStarting: isStarting(item)};
		const after = this.#rows.apply(item.id, eventAfterError(item, error, context));
		if (!after) return;
		this.#recordError(after, error);
		onNotAccepted(after, error);
	}

	/** Looks once for a message whose answer was lost. Resolves to false if another process has it. */
	async #look(item: OutboxItem): Promise<boolean> {
		const {id, sessionId} = item;
		if (!this.#rows.takeLease(id)) return false;
		await this.#rows.withLease(id, async () => {
			const {found, error} = await this.#lookup.look(item, () => this.pump(sessionId));
			for (const row of found) this.#accepted(row);
			if (error !== undefined) this.#recordError(item, error);
		});
		return true;
	}

	/** Records what an error blocks, and how long the service wants every process to wait. */
	#recordError(item: OutboxItem, error: unknown): void {
		if (error instanceof RateLimitedError) {
			const now = this.#options.clock.now();
			const wait = {since: now, until: now + error.retryAfter};
			unlessStorageFails(() => this.#options.database.outbox.waitForService(wait));
		}
		const scope = heldScopeOf(error);
		if (scope === undefined) return;
		if (scope === 'all') this.#isAllHeld = true;
		else this.#heldSessions.add(item.sessionId);
		this.#options.onHeld(item, error as Error);
	}

	#retryAt(): number {
		return this.#options.clock.now() + retryDelay;
	}

	/** Continues at the given time, or soon after another process has written to the database. */
	#waitUntil(sessionId: string, at: number): void {
		const {clock, database} = this.#options;
		const writes = () => unlessStorageFails(database.peerWriteCount);
		const before = writes();
		let left = at - clock.now();
		const wait = () => {
			const cancel = clock.after(Math.min(left, lookInterval), () => {
				left -= lookInterval;
				if (left > 0 && writes() === before) {
					wait();
					return;
				}
				this.#rows.publish(sessionId);
				this.pump(sessionId);
			});
			this.#waiting.set(sessionId, cancel);
		};
		this.#stopWaiting(sessionId);
		wait();
	}

	#stopWaiting(sessionId: string): void {
		this.#waiting.get(sessionId)?.();
		this.#waiting.delete(sessionId);
	}

	/** If this fails, old rows are removed another time. */
	#removeOld(): void {
		const {
			database: {outbox},
			clock,
		} = this.#options;
		unlessStorageFails(() => {
			for (const item of outbox.all(['seen']))
				if (item.createdAt < clock.now() - deliveredLifetime) outbox.remove(item.id);
		});
	}
}

function sessionsOf(rows: readonly {readonly sessionId: string}[]): ReadonlySet<string> {
	return new Set(rows.map(({sessionId}) => sessionId));
}
