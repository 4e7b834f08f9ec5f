import type {Database} from '../db/database.ts';
import {isStorageError} from '../db/storage-error.ts';
import {deliver, type OutboxItem, saysTheSame} from '../domain/delivery.ts';
import type {Clock} from './clock.ts';
import type {OutboxStep} from './outbox-step.ts';

export type OutboxLeasesOptions = {
	readonly database: Pick<Database, 'outbox' | 'messages'>;
	readonly clock: Clock;
	/** Names this process among those that share the database. */
	readonly owner: string;
	/** How much older than its send a message of ours may look, ms. */
	readonly allowedSkew: () => number;
};

/** The right to work on a row of the outbox, which of all processes one has at a time. */
export type OutboxLeases = {
	/**
	 * Marks a row as on the wire, if sending it is what `next` says: one transaction with the lease, so that of two
	 * processes one sends it, whatever each believed before. The lease stays with the row that is answered.
	 */
	claim(id: string, next: () => OutboxStep): OutboxItem | 'elsewhere' | 'changed';
	/** Runs `change` in one transaction with the lease; false when another process has it. */
	briefly(id: string, change: () => void): boolean;
	/** Takes the lease for `hold`; false when another process has it. */
	take(id: string): boolean;
	/** Prolongs a lease that was taken for as long as `work` runs, and gives it back. */
	hold<T>(id: string, work: () => Promise<T>): Promise<T>;
};

/** A message that begins to be sent must be answered or renewed within this time, or another process takes it over. */
const leaseTime = 60_000;
const renewEvery = leaseTime / 3;
/** How soon to look again at a row that another process works on, or a disk that can't be written, ms. */
export const elsewhereAgain = 5_000;

export function createOutboxLeases({
	database: {outbox, messages},
	clock,
	owner,
	allowedSkew,
}: OutboxLeasesOptions): OutboxLeases {
	const take = (id: string) => outbox.lease(id, owner, clock.now() + leaseTime);

	/** Messages with the same words that are there already: none of them is the one that is sent now. */
	function sameBefore(item: OutboxItem, at: number): string[] {
		return messages
			.tail(item.sessionId, 100)
			.filter(({message}) => (message.createdAt ?? 0) >= at - allowedSkew() && saysTheSame(item, message))
			.map(({message}) => message.id);
	}

	return {
		claim: (id, next) =>
			outbox.exclusively(() => {
				if (!outbox.get(id)) return 'changed';
				if (!take(id)) return 'elsewhere';
				const step = next();
				if (step.kind !== 'send' || step.item.id !== id) {
					outbox.release(id, owner);
					return 'changed';
				}
				const at = clock.now();
				const sending = deliver(step.item, {type: 'sending', at, knownBefore: sameBefore(step.item, at)});
				outbox.put(sending);
				return sending;
			}),
		briefly: (id, change) =>
			outbox.exclusively(() => {
				if (!take(id)) return false;
				change();
				outbox.release(id, owner);
				return true;
			}),
		take,
		async hold(id, work) {
			let cancel = () => {};
			const renew = () => {
				cancel = clock.after(renewEvery, () => {
					quietly(() => take(id));
					renew();
				});
			};
			renew();
			try {
				return await work();
			} finally {
				cancel();
				quietly(() => outbox.release(id, owner));
			}
		},
	};
}

/** A lease that can't be written ends by itself. */
function quietly(run: () => unknown): void {
	try {
		run();
	} catch (error) {
		if (!isStorageError(error)) throw error;
	}
}
