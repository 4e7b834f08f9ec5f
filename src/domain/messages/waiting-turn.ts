import type {OutboxItem} from './delivery.ts';
import type {Message, MessageRole} from './message.ts';

/**
 * Our accepted messages that wait for an earlier turn to end, in a session at work. Only those that certainly do: the
 * session was already busy when it accepted the message, the service doesn't say that its turn has begun, and every
 * later message is the user's or has a `parentId` other than ours. `messages` holds all known ones in display order.
 */
export function waitingForTurn(
	outbox: readonly OutboxItem[],
	messages: readonly {readonly message: Message; readonly role?: MessageRole}[],
): readonly OutboxItem[] {
	return outbox.filter(({isBehind, state, messageId}) => {
		if (!isBehind || (state !== 'accepted' && state !== 'seen')) return false;
		const index = messages.findLastIndex(({message}) => message.id === messageId);
		if (index < 0) return true;
		if (messages[index]?.message.isWaiting === false) return false;
		const later = messages.slice(index + 1);
		return later.every(
			({message: {parentId}, role}) => role === 'user' || (parentId !== undefined && parentId !== messageId),
		);
	});
}
