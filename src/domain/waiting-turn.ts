import type {OutboxItem} from './delivery.ts';
import type {Message, MessageRole} from './message.ts';

/** A message of the stream, as far as it tells whose turn it belongs to. */
export type TurnEvidence = {readonly id: string; readonly message: Message; readonly role?: MessageRole};

/**
 * Does a message of ours that the service has wait for an earlier turn to end? Only while that
 * is sure: the session was at work when it was taken and still is, and whatever came since says by its `parentId` that
 * it belongs to something earlier. `after` are the messages behind it in display order, all that is known of them.
 */
export function waitsItsTurn(item: OutboxItem, isAtWork: boolean, after: readonly TurnEvidence[]): boolean {
	if (!isAtWork || !item.isBehind || (item.state !== 'accepted' && item.state !== 'seen')) return false;
	return after.every(
		({message, role}) =>
			role === 'user' || (message.parentId !== undefined && message.parentId !== item.messageId),
	);
}

/** The messages behind the one with this id; all of none when it isn't among them. */
export function messagesAfter<Item extends {readonly id: string}>(
	items: readonly Item[],
	id: string | undefined,
): readonly Item[] {
	const index = items.findLastIndex(item => item.id === id);
	return index < 0 ? [] : items.slice(index + 1);
}
