import {NotFoundError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import type {ListingFacts} from '../db/database.ts';
import type {OutboxItem} from '../domain/delivery.ts';
import type {Message} from '../domain/message.ts';
import {backOff} from './back-off.ts';
import type {Clock} from './clock.ts';
import {readRecentUserMessages} from './recent-user-messages.ts';

export type OutboxLookOptions = {
	readonly list: Service['messages']['list'];
	readonly clock: Clock;
	readonly random: () => number;
	readonly factsOf: (sessionId: string) => ListingFacts;
	/** How much older than its send a message may look, ms. */
	readonly allowedSkew: () => number;
};

/** Looks for a message whose answer was lost among the user messages of its session, by reads ever further apart. */
export type OutboxLook = {
	/** When each row that was looked for is to be looked for again, Unix ms; at once when it is not in here. */
	readonly dueAt: ReadonlyMap<string, number>;
	/** Looks as soon as it can, even for a row that was given up. */
	ask(id: string): void;
	/** Its user messages since the send, and whether that is the last word: nobody looks again then. */
	read(item: OutboxItem, signal: AbortSignal): Promise<{found: readonly Message[]; isLast: boolean}>;
	/** Sets the next time after a read that was not the last. */
	again(item: OutboxItem): void;
	forget(id: string): void;
};

export function createOutboxLook({list, clock, random, factsOf, allowedSkew}: OutboxLookOptions): OutboxLook {
	const dueAt = new Map<string, number>();
	const reads = new Map<string, {count: number; from?: string}>();

	return {
		dueAt,
		ask: id => dueAt.set(id, clock.now()),
		async read(item, signal) {
			const {id, sessionId, computerId, sentAt, createdAt, lookUntil = 0} = item;
			const startedAt = clock.now();
			const {count, from} = reads.get(id) ?? {count: 0};
			// A cursor that is refused must not be used again.
			reads.set(id, {count: count + 1});
			const {pages} = factsOf(sessionId);
			const limit = pages === 'tail' ? 20 : 100;
			const query = {role: 'user', limit, ...(computerId !== undefined && {computerId})} as const;
			try {
				const recent = await readRecentUserMessages(
					cursor => list(sessionId, {...query, ...(cursor !== undefined && {cursor})}, {signal}),
					{
						since: (sentAt ?? createdAt) - allowedSkew(),
						...(pages && {pages}),
						...(from !== undefined && {from}),
					},
				);
				reads.set(id, {count: count + 1, ...(recent.from !== undefined && {from: recent.from})});
				// Only a read that began after the time was up can say that it isn't there.
				return {found: recent.messages, isLast: startedAt >= lookUntil};
			} catch (error) {
				// The session itself is gone: no read will find it there.
				if (error instanceof NotFoundError && startedAt >= lookUntil) return {found: [], isLast: true};
				throw error;
			}
		},
		again({id, lookUntil}) {
			const due = clock.now() + backOff(reads.get(id)?.count ?? 1, random);
			const isTimeLeft = lookUntil !== undefined && clock.now() < lookUntil;
			dueAt.set(id, isTimeLeft ? Math.min(due, lookUntil) : due);
		},
		forget(id) {
			dueAt.delete(id);
			reads.delete(id);
		},
	};
}
