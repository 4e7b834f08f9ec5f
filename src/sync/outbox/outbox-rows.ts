import type {Database} from '../../db/database.ts';
import {isStorageError, unlessStorageFails} from '../../db/file/storage-error.ts';
import {
	type DeliveryEvent,
	deliver,
	findPosted,
	hasSameContent,
	type OutboxItem,
} from '../../domain/messages/delivery.ts';
import type {Message} from '../../domain/messages/message.ts';
import {log} from '../../log/log.ts';
import {lookupTimeout, type OutboxStep} from './outbox-attempt.ts';
import type {OutboxSenderOptions} from './outbox-sender.ts';

type OutboxRowsOptions = Pick<
	Required<OutboxSenderOptions>,
	'database' | 'store' | 'clock' | 'owner' | 'skew'
>;

/** Lease on a message being sent: unless answered or renewed by then, another process takes over. */
const leaseTime = 60_000;
const renewInterval = leaseTime / 3;
/** Maximum number of delivered messages per session in the store. */
const maxSeenInStore = 20;
/** The Date header counts seconds; without it, the local clock is trusted to the minute. */
const knownSkewTolerance = 2_000;
const unknownSkewTolerance = 60_000;

/**
 * The outbox on disk and in the store, and the leases on its rows. Other processes change the same rows, so
 * each change starts from the row on disk. Events that can't be written (a full disk) stay in memory until
 * they can; nothing is sent before then.
 */
export class OutboxRows {
	readonly #options: OutboxRowsOptions;
	readonly #outbox: Database['outbox'];
	readonly #unsaved = new Map<string, DeliveryEvent[]>();

	constructor(options: OutboxRowsOptions) {
		this.#options = options;
		this.#outbox = options.database.outbox;
	}

	ofSession(sessionId: string): readonly OutboxItem[] {
		const shown = this.#options.store.getState().bySession.get(sessionId) ?? [];
		const rows = unlessStorageFails(() => this.#outbox.ofSession(sessionId)) ?? shown;
		return rows.map(row => this.#withUnsaved(row));
	}

	/** Returns the row on disk, or the row in the store if the disk can't be read. */
	get(id: string): OutboxItem | undefined {
		try {
			const row = this.#outbox.get(id);
			return row && this.#withUnsaved(row);
		} catch (error) {
			if (!isStorageError(error)) throw error;
			const shown = [...this.#options.store.getState().bySession.values()].flat().find(row => row.id === id);
			return shown && this.#withUnsaved(shown);
		}
	}

	add(item: OutboxItem): void {
		this.#outbox.put(item);
		this.publish(item.sessionId);
	}

	/** Returns the row after the event; `undefined` if the row is gone. */
	apply(id: string, event: DeliveryEvent): OutboxItem | undefined {
		let after: OutboxItem | undefined;
		try {
			after = this.#change(id, event);
		} catch (error) {
			if (!isStorageError(error)) throw error;
			this.#unsaved.set(id, [...(this.#unsaved.get(id) ?? []), event]);
			after = this.get(id);
		}
		if (after) this.publish(after.sessionId);
		return after;
	}

	remove(id: string, isRemovable: (item: OutboxItem) => boolean): OutboxItem | undefined {
		const removed = this.#outbox.exclusively(() => {
			const item = this.get(id);
			if (!item || !isRemovable(item)) return undefined;
			this.#outbox.remove(id);
			return item;
		});
		if (!removed) return undefined;
		this.#unsaved.delete(id);
		this.publish(removed.sessionId);
		return removed;
	}

	/** Assigns message ids to lost messages that match; returns the rows that were found. */
	confirmFound(sessionId: string, candidates: readonly Message[]): readonly OutboxItem[] {
		const confirmMatches = () =>
			[...this.#matchLost(this.ofSession(sessionId), candidates)].map(([row, messageId]) => {
				const found = deliver(row, {type: 'foundInListing', messageId});
				this.#outbox.put(found);
				return found;
			});
		const found = unlessStorageFails(() => this.#outbox.exclusively(confirmMatches)) ?? [];
		if (found.length > 0) this.publish(sessionId);
		return found;
	}

	/** Returns the lost rows that match a candidate, with its id. */
	#matchLost(rows: readonly OutboxItem[], candidates: readonly Message[]): Map<OutboxItem, string> {
		// Skip messages that match one being posted: its own message would be matched to an older one with the
		// same text.
		const posting = rows.filter(row => row.state === 'sending');
		const free = candidates.filter(message => !posting.some(row => hasSameContent(row, message)));
		const claimed = new Set(rows.flatMap(row => row.messageId ?? []));
		const matches = new Map<OutboxItem, string>();
		const lastSentFirst = rows
			.filter(row => row.state === 'unconfirmed')
			.toSorted((a, b) => sentAtService(b) - sentAtService(a));
		// A message that is newer than a send most likely belongs to it, so match the last sent first. One that
		// looks older than a send, because clocks differ, belongs to it only if no earlier send fits.
		for (const allowed of [
			(row: OutboxItem) => -(row.sentSkew ?? this.#options.skew() ?? 0),
			(row: OutboxItem) => this.allowedSkew(row.sentSkew),
		]) {
			for (const row of lastSentFirst) {
				if (matches.has(row)) continue;
				const message = findPosted(row, free, new Set(row.knownBefore), claimed, allowed(row));
				if (!message) continue;
				claimed.add(message.id);
				matches.set(row, message.id);
			}
		}
		return matches;
	}

	/** How much older than its send a message may look, ms: by the skew then, or the current one. */
	allowedSkew(sentSkew?: number): number {
		const known = sentSkew ?? this.#options.skew();
		return known === undefined ? unknownSkewTolerance : knownSkewTolerance - known;
	}

	/** Writes the events that could not be written before; returns false if some still can't. */
	flush(): boolean {
		for (const [id, events] of this.#unsaved) {
			const isSaved = unlessStorageFails(() => {
				for (const event of events) this.#change(id, event);
				return true;
			});
			if (isSaved) this.#unsaved.delete(id);
		}
		return this.#unsaved.size === 0;
	}

	/** Writes undelivered rows from the store again, if a new file has lost them. */
	restore(): void {
		for (const [sessionId, rows] of this.#options.store.getState().bySession) {
			for (const row of rows) {
				if (row.state === 'accepted' || row.state === 'seen') continue;
				unlessStorageFails(() =>
					this.#outbox.exclusively(() => this.#outbox.get(row.id) ?? this.#outbox.put(row)),
				);
			}
			this.publish(sessionId);
		}
	}

	/** Updates the store from disk. */
	publish(sessionId: string): void {
		const rows = this.ofSession(sessionId);
		const lastSeen = rows.filter(row => row.state === 'seen').slice(-maxSeenInStore);
		const shown = rows.filter(row => row.state !== 'seen' || lastSeen.includes(row));
		this.#options.store.setState(({bySession}) => {
			const next = new Map(bySession);
			if (shown.length > 0) next.set(sessionId, shown);
			else next.delete(sessionId);
			return {bySession: next};
		});
	}

	/** Whether another process is sending a message of the session. */
	isWithAnother(sessionId: string): boolean {
		const until = this.#options.clock.now() + leaseTime;
		return (
			unlessStorageFails(() => this.#outbox.isLeasedElsewhere(sessionId, this.#options.owner, until)) ?? false
		);
	}

	/**
	 * Marks a row as being sent, if `next` says to send it. Takes the lease in the same transaction, so that
	 * only one of two processes sends it, whatever each read before. The lease is kept if a row is returned.
	 */
	claim(id: string, next: () => OutboxStep): OutboxItem | 'elsewhere' | 'changed' {
		return this.#outbox.exclusively(() => {
			if (!this.#outbox.get(id)) return 'changed';
			if (!this.takeLease(id)) return 'elsewhere';
			const step = next();
			if (step.kind !== 'send' || step.item.id !== id) {
				this.#outbox.release(id, this.#options.owner);
				return 'changed';
			}
			const at = this.#options.clock.now();
			const skew = this.#options.skew();
			const knownBefore = this.#idsOfSameText(step.item, at);
			const sending = deliver(step.item, {type: 'sending', at, knownBefore, skew});
			this.#outbox.put(sending);
			return sending;
		});
	}

	/** Marks a row as lost whose sender died while `sending`. False if another process has the lease. */
	takeOver({id, sessionId}: OutboxItem): boolean {
		const isOurs = this.#outbox.exclusively(() => {
			if (!this.takeLease(id)) return false;
			const problem = 'Quarterdeck exited before the response arrived.';
			this.apply(id, {type: 'lost', problem, lookUntil: this.#options.clock.now() + lookupTimeout});
			this.#outbox.release(id, this.#options.owner);
			return true;
		});
		this.publish(sessionId);
		return isOurs;
	}

	/** Takes the lease, for use with `withLease`; returns false if another process has it. */
	takeLease(id: string): boolean {
		return this.#outbox.lease(id, this.#options.owner, this.#options.clock.now() + leaseTime);
	}

	/** Renews a lease already taken while `work` runs, then releases it. */
	async withLease<T>(id: string, work: () => Promise<T>): Promise<T> {
		let cancel = () => {};
		const renew = () => {
			cancel = this.#options.clock.after(renewInterval, () => {
				// A lease that can't be renewed expires.
				unlessStorageFails(() => this.takeLease(id));
				renew();
			});
		};
		renew();
		try {
			return await work();
		} finally {
			cancel();
			unlessStorageFails(() => this.#outbox.release(id, this.#options.owner));
		}
	}

	/** Applies an event in one transaction, so that no other process changes the row between read and write. */
	#change(id: string, event: DeliveryEvent): OutboxItem | undefined {
		return this.#outbox.exclusively(() => {
			const before = this.#outbox.get(id);
			if (!before) return undefined;
			const after = deliver(before, event);
			if (after !== before) this.#outbox.put(after);
			log('info', 'outbox', {id, session: before.sessionId, event: event.type, state: after.state});
			if (event.type === 'accepted' && after !== before) this.#takeFromOthers(after, event.messageId);
			return after;
		});
	}

	/** The service's own answer overrides matches from a listing: no other row has this message. */
	#takeFromOthers({id, sessionId}: OutboxItem, messageId: string): void {
		const problem = 'The message it was matched to belongs to another one with the same text.';
		const lookUntil = this.#options.clock.now() + lookupTimeout;
		for (const row of this.#outbox.ofSession(sessionId)) {
			if (row.id === id || row.messageId !== messageId) continue;
			this.#outbox.put(deliver(row, {type: 'disowned', problem, lookUntil}));
		}
	}

	#withUnsaved(row: OutboxItem): OutboxItem {
		return (this.#unsaved.get(row.id) ?? []).reduce(deliver, row);
	}

	/** Ids of existing messages with the same text, none of which is the one now being sent. */
	#idsOfSameText(item: OutboxItem, at: number): string[] {
		return this.#options.database.messages
			.tail(item.sessionId, 100)
			.filter(
				({message}) => (message.createdAt ?? 0) >= at - this.allowedSkew() && hasSameContent(item, message),
			)
			.map(({message}) => message.id);
	}
}

/** Time of the send by the service's clock if known: ours may have been set between two messages. */
function sentAtService({sentAt = 0, sentSkew = 0}: OutboxItem): number {
	return sentAt + sentSkew;
}
