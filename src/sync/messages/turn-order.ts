import {messagesAfter, waitsItsTurn} from '../../domain/messages/waiting-turn.ts';
import {expireStatus, isBusy} from '../../domain/sessions/session-status.ts';
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
	function isAtWork(sessionId: string): boolean {
		const status = fleet.getState().sessions.get(sessionId)?.status;
		return status !== undefined && isBusy(expireStatus(status, clock.now()));
	}

	return {
		isAtWork,
		isTurnWaited(sessionId) {
			const ours = outbox.getState().bySession.get(sessionId) ?? [];
			const entries = streams.getState().open.get(sessionId)?.entries;
			if (!entries || !ours.some(item => item.isBehind) || !isAtWork(sessionId)) return false;
			const messages = entries.filter(entry => entry.kind === 'message');
			return ours.some(item => waitsItsTurn(item, true, messagesAfter(messages, item.messageId)));
		},
	};
}
