import type {OutboxItem} from './delivery.ts';
import type {Message, MessageRole} from './message.ts';

/** The part of a stream message that shows which turn it belongs to. */
export type TurnEvidence = {readonly message: Message; readonly role?: MessageRole};

/**
 * Whether our accepted message is waiting for an earlier turn to end. True only if certain: the session was
 * busy when it accepted the message and still is, and every later message is the user's or has a `parentId`
 * other than ours. `after` holds all known messages after ours in display order.
 */
export function isWaitingForTurn(
	item: OutboxItem,
	isAtWork: boolean,
	after: readonly TurnEvidence[],
): boolean {
	if (!isAtWork || !item.isBehind || (item.state !== 'accepted' && item.state !== 'seen')) return false;
	return after.every(
		({message, role}) =>
			role === 'user' || (message.parentId !== undefined && message.parentId !== item.messageId),
	);
}

/** The messages after the one with this id; empty if it is not in the list. */
export function messagesAfter<Item extends {readonly id: string}>(
	items: readonly Item[],
	id: string | undefined,
): readonly Item[] {
	const index = items.findLastIndex(item => item.id === id);
	return index < 0 ? [] : items.slice(index + 1);
}
