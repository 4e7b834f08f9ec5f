import {messagesAfter, waitsItsTurn} from '../../domain/messages/waiting-turn.ts';
import {isAtWork} from '../../domain/sessions/session-status.ts';
import type {Stores} from '../../state/stores.ts';
import type {Clock} from '../core/clock.ts';

/** Whose turn it is in a session, as far as this is known. */
export type TurnOrder = {
	/** Whether the session's agent is working. */
	isAtWork(sessionId: string): boolean;
	/** Whether our message waits its turn at the service; false unless the session is open. */
	isTurnWaited(sessionId: string): boolean;
};

export function createTurnOrder({fleet, streams, outbox}: Stores, clock: Clock): TurnOrder {
	function isSessionAtWork(sessionId: string): boolean {
		return isAtWork(fleet.getState().sessions.get(sessionId)?.status, {}, clock.now());
	}

	return {
		isAtWork: isSessionAtWork,
		isTurnWaited(sessionId) {
			const ours = outbox.getState().bySession.get(sessionId) ?? [];
			const entries = streams.getState().open.get(sessionId)?.entries;
			if (!entries || !ours.some(item => item.isBehind) || !isSessionAtWork(sessionId)) return false;
			const messages = entries.filter(entry => entry.kind === 'message');
			return ours.some(item => waitsItsTurn(item, true, messagesAfter(messages, item.messageId)));
		},
	};
}
