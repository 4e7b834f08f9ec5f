import type {KnownComputer, KnownSession} from '../domain/known.ts';
import type {Message, MessageRole} from '../domain/message.ts';

/** JSON forms: the contract's fields as they came, and ours under `quarterdeck` (DESIGN, Headless commands). */

export function computerJson({id, computer, origin, addedAt, fetchedAt}: KnownComputer): object {
	return {...(computer ?? {id}), quarterdeck: {origin, addedAt, fetchedAt}};
}

export function sessionJson(known: KnownSession): object {
	const {id, session, origin, addedAt, fetchedAt, status, computerId, cwd} = known;
	return {
		...(session ?? {sessionId: id}),
		quarterdeck: {origin, addedAt, fetchedAt, status, computerId, cwd},
	};
}

export function messageJson(message: Message, role: MessageRole | undefined, sessionId: string): object {
	return {...message, quarterdeck: {role, sessionId}};
}
