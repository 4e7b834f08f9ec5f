import type {OutboxItem} from './delivery.ts';
import type {Message, MessageRole} from './message.ts';

/** The part of a stream message that shows which turn it belongs to. */
export type TurnEvidence = {readonly message: Message; readonly role?: MessageRole};

/**
 * Whether our accepted message is waiting for an earlier turn to end. True only if certain: the session was
 * busy when it accepted the message and still is, the service doesn't say that our turn has begun, and every later
 * message is the user's or has a `parentId` other than ours. `messages` holds all known ones in display order.
 */
export function isWaitingForTurn(
	item: OutboxItem,
	isAtWork: boolean,
	messages: readonly TurnEvidence[],
): boolean {
	if (!isAtWork || !item.isBehind || (item.state !== 'accepted' && item.state !== 'seen')) return false;
	const index = messages.findLastIndex(({message}) => message.id === item.messageId);
	const own = messages[index]?.message;
	if (!own) return true;
	return (
		own.isWaiting !== false &&
		messages
			.slice(index + 1)
			.every(
				({message: {parentId}, role}) => role === 'user' || (parentId !== undefined && parentId !== own.id),
			)
	);
}
