import type {OutboxItem} from './delivery.ts';
import type {Message, MessageRole} from './message.ts';

/**
 * Our accepted messages that wait for an earlier turn to end, in a session at work. Only those that certainly do: the
 * session was already busy when it accepted the message, the service doesn't say that its turn has begun, and every
 * later message is the user's or belongs to an earlier turn. `messages` holds all known ones in display order.
 */
export function waitingForTurn(
	outbox: readonly OutboxItem[],
	messages: readonly {readonly message: Message; readonly role?: MessageRole}[],
): readonly OutboxItem[] {
	return outbox.filter(({isBehind, state, messageId}) => {
		if (!isBehind || (state !== 'accepted' && state !== 'seen')) return false;
		const index = messages.findLastIndex(({message}) => message.id === messageId);
		if (index < 0) return true;
		const {isWaiting} = messages[index]?.message ?? {};
		if (isWaiting === false) return false;
		// The contract doesn't say what a `parentId` names; the first message may mean no more than the thread.
		const earlier = new Set(messages.slice(1, index).map(({message}) => message.id));
		const isOfEarlierTurn = (parentId: string) =>
			isWaiting ? parentId !== messageId : earlier.has(parentId);
		return messages
			.slice(index + 1)
			.every(
				({message: {parentId}, role}) =>
					role === 'user' || (parentId !== undefined && isOfEarlierTurn(parentId)),
			);
	});
}
