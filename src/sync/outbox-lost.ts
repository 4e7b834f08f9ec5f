import {isStorageError} from '../db/storage-error.ts';
import {isUnderWay, type OutboxItem, saysTheSame} from '../domain/delivery.ts';
import type {Message, MessageRole} from '../domain/message.ts';
import type {Clock} from './clock.ts';
import type {OutboxHolds} from './outbox-holds.ts';
import {elsewhereAgain, type OutboxLeases} from './outbox-leases.ts';
import type {OutboxLook} from './outbox-look.ts';
import type {OutboxRows} from './outbox-rows.ts';
import {lookTime} from './post-outcome.ts';

export type OutboxLostOptions = {
	readonly rows: OutboxRows;
	readonly leases: OutboxLeases;
	readonly holds: OutboxHolds;
	readonly look: OutboxLook;
	readonly clock: Clock;
	readonly allowedSkew: () => number;
	readonly ending: AbortSignal;
	/** It was found: the service has it. */
	readonly onFound: (item: OutboxItem) => void;
};

/** Finds out what became of messages whose answer was lost (SERVICE-NOTES, Sending). */
export type OutboxLost = {
	/** A row that says `sending` and that nobody holds: its sender died before the answer came. A step of the pump. */
	takeOver(item: OutboxItem): Promise<number | undefined>;
	/** Looks once for a row among the messages of its session. A step of the pump. */
	lookFor(item: OutboxItem): Promise<number | undefined>;
	/** Settles what can be by a page of messages that was read anyway; `lost` are the session's unconfirmed rows. */
	observe(
		sessionId: string,
		messages: readonly Message[],
		lost: readonly OutboxItem[],
		roles?: ReadonlyMap<string, MessageRole>,
	): void;
};

export function createOutboxLost({
	rows,
	leases,
	holds,
	look,
	clock,
	allowedSkew,
	ending,
	onFound,
}: OutboxLostOptions): OutboxLost {
	const askedAbout = new Set<string>();

	function giveUp(id: string): void {
		const problem =
			'No answer came, and it is not among the messages of the session: it may not have arrived.';
		rows.apply(id, {type: 'giveUpLooking', problem});
	}

	function adopt(sessionId: string, candidates: readonly Message[]): void {
		for (const item of rows.adopt(sessionId, candidates, allowedSkew())) {
			look.forget(item.id);
			onFound(item);
		}
	}

	return {
		async takeOver({id, sessionId}) {
			const isOurs = leases.briefly(id, () => {
				const problem = 'Quarterdeck ended before the answer came.';
				rows.apply(id, {type: 'lost', problem, lookUntil: clock.now() + lookTime});
			});
			rows.publish(sessionId);
			return isOurs ? undefined : clock.now() + elsewhereAgain;
		},
		async lookFor(item) {
			const {id, sessionId} = item;
			if (!leases.take(id)) return clock.now() + elsewhereAgain;
			return leases.hold(id, async () => {
				try {
					const {found, isLast} = await look.read(item, ending);
					adopt(sessionId, found);
					if (isLast) giveUp(id);
				} catch (error) {
					if (isStorageError(error)) throw error;
					holds.note(sessionId, error);
				}
				if (isUnderWay(rows.get(id) ?? item)) look.again(item);
				else look.forget(id);
				return undefined;
			});
		},
		observe(sessionId, messages, lost, roles) {
			const roleOf = (message: Message) => roles?.get(message.id) ?? message.role;
			adopt(
				sessionId,
				messages.filter(message => roleOf(message) === 'user'),
			);
			// The same words by someone unknown prove nothing: the user messages are asked at once, and once for each.
			for (const message of messages) {
				if (roleOf(message) !== undefined || askedAbout.has(message.id)) continue;
				for (const item of lost.filter(row => saysTheSame(row, message))) {
					askedAbout.add(message.id);
					look.ask(item.id);
				}
			}
		},
	};
}
