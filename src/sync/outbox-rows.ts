import type {Database} from '../db/database.ts';
import {isStorageError, unlessStorageFails} from '../db/storage-error.ts';
import {type DeliveryEvent, deliver, findPosted, type OutboxItem, saysTheSame} from '../domain/delivery.ts';
import type {Message} from '../domain/message.ts';
import type {OutboxStore} from '../state/outbox.ts';

/** Delivered messages of a session that stay in the store. */
const seenInStore = 20;

/**
 * The outbox on disk and, after it, in the store. Other processes work on the same rows, so that each change begins
 * with the row as it is on disk. An event that can't be written (a full disk) stays in memory, and is written when that
 * is possible again: until then nothing is sent.
 */
export type OutboxRows = {
	ofSession(sessionId: string): readonly OutboxItem[];
	get(id: string): OutboxItem | undefined;
	add(item: OutboxItem): void;
	/** Answers the row after the event; nothing when it is gone. */
	apply(id: string, event: DeliveryEvent): OutboxItem | undefined;
	/** After it was taken off the disk. */
	forget(item: OutboxItem): void;
	/** Gives lost messages the ids they turn out to have; answers the rows that were found. */
	adopt(sessionId: string, candidates: readonly Message[], skew: number): readonly OutboxItem[];
	/** Writes what could not be written before; false when it still can't be. */
	flush(): boolean;
	/** Brings the store up to what is on disk. */
	publish(sessionId: string): void;
};

export function createOutboxRows(database: Database, store: OutboxStore): OutboxRows {
	const {outbox} = database;
	const unsaved = new Map<string, DeliveryEvent[]>();

	const withUnsaved = (row: OutboxItem) => (unsaved.get(row.id) ?? []).reduce(deliver, row);

	function ofSession(sessionId: string): readonly OutboxItem[] {
		const shown = store.getState().bySession.get(sessionId) ?? [];
		return (unlessStorageFails(() => outbox.ofSession(sessionId)) ?? shown).map(withUnsaved);
	}

	function publish(sessionId: string): void {
		const rows = ofSession(sessionId);
		const lastSeen = rows.filter(row => row.state === 'seen').slice(-seenInStore);
		const shown = rows.filter(row => row.state !== 'seen' || lastSeen.includes(row));
		store.setState(({bySession}) => {
			const next = new Map(bySession);
			if (shown.length > 0) next.set(sessionId, shown);
			else next.delete(sessionId);
			return {bySession: next};
		});
	}

	/** The row on disk, or as it was seen last when the disk can't be read. */
	function get(id: string): OutboxItem | undefined {
		try {
			const row = outbox.get(id);
			return row && withUnsaved(row);
		} catch (error) {
			if (!isStorageError(error)) throw error;
			const shown = [...store.getState().bySession.values()].flat().find(row => row.id === id);
			return shown && withUnsaved(shown);
		}
	}

	/** One transaction: no other process changes the row between the reading and the writing. */
	function change(id: string, event: DeliveryEvent): OutboxItem | undefined {
		return outbox.exclusively(() => {
			const before = outbox.get(id);
			if (!before) return undefined;
			const after = deliver(before, event);
			if (after !== before) outbox.put(after);
			return after;
		});
	}

	function apply(id: string, event: DeliveryEvent): OutboxItem | undefined {
		let after: OutboxItem | undefined;
		try {
			after = change(id, event);
		} catch (error) {
			if (!isStorageError(error)) throw error;
			unsaved.set(id, [...(unsaved.get(id) ?? []), event]);
			after = get(id);
		}
		if (after) publish(after.sessionId);
		return after;
	}

	return {
		ofSession,
		publish,
		apply,
		get,
		add(item) {
			outbox.put(item);
			publish(item.sessionId);
		},
		forget({id, sessionId}) {
			unsaved.delete(id);
			publish(sessionId);
		},
		adopt(sessionId, candidates, skew) {
			const match = () => {
				const rows = ofSession(sessionId);
				const onTheWire = rows.filter(row => row.state === 'sending');
				const claimed = new Set(rows.flatMap(row => row.messageId ?? []));
				// What was posted a moment ago and not answered yet would be taken for an older message of the same words.
				const free = candidates.filter(message => !onTheWire.some(row => saysTheSame(row, message)));
				// The last sent first: a message that is younger than its send is more likely its own than an older row's.
				const lost = rows.filter(row => row.state === 'unconfirmed');
				return lost
					.toSorted((a, b) => (b.sentAt ?? 0) - (a.sentAt ?? 0))
					.flatMap(row => {
						const found = findPosted(row, free, new Set(row.knownBefore), claimed, skew);
						if (!found) return [];
						claimed.add(found.id);
						const after = deliver(row, {type: 'foundInListing', messageId: found.id});
						outbox.put(after);
						return [after];
					});
			};
			const found = unlessStorageFails(() => outbox.exclusively(match)) ?? [];
			if (found.length > 0) publish(sessionId);
			return found;
		},
		flush() {
			for (const [id, events] of unsaved) {
				const isKept = unlessStorageFails(() => {
					for (const event of events) change(id, event);
					return true;
				});
				if (isKept) unsaved.delete(id);
			}
			return unsaved.size === 0;
		},
	};
}
