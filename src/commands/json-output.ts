import type {Computer} from '../domain/computer.ts';
import type {OutboxItem} from '../domain/delivery.ts';
import type {KnownComputer, KnownSession} from '../domain/known.ts';
import {maskSecrets} from '../domain/masking.ts';
import type {Message, MessageRole} from '../domain/message.ts';
import type {DeliveryResult} from './deliver.ts';

/** JSON forms: the contract's fields as they came, and ours under `quarterdeck`. Secrets of computers and sessions are masked. */

type Relay = Pick<Computer, 'relayClientUrl' | 'relayAgentUrl'>;

/** `relay`: addresses that the user asked to see. */
export function computerJson(
	{id, computer, origin, addedAt, fetchedAt}: KnownComputer,
	relay: Relay = {},
): object {
	return {...maskSecrets(computer ?? {}), id, ...relay, quarterdeck: {origin, addedAt, fetchedAt}};
}

/** The addresses of a computer's relay. Whoever has them gets in. */
export function relayOf({relayClientUrl, relayAgentUrl}: Computer): Relay {
	return {...(relayClientUrl && {relayClientUrl}), ...(relayAgentUrl && {relayAgentUrl})};
}

export function sessionJson(known: KnownSession): object {
	const {id, session, origin, addedAt, fetchedAt, status, computerId, cwd} = known;
	return {
		...maskSecrets(session ?? {}),
		sessionId: id,
		...(session?.computerId !== undefined && {computerId: session.computerId}),
		quarterdeck: {origin, addedAt, fetchedAt, status, computerId, cwd},
	};
}

/** A message of the outbox: ours alone, the contract has none. The attachments themselves are left out. */
export function outboxJson(item: OutboxItem): object {
	const {id, sessionId, computerId, state, text, images, files, problem, messageId} = item;
	const {createdAt, sentAt, notBefore, lookUntil, tries} = item;
	return {
		id,
		sessionId,
		computerId,
		state,
		messageId,
		problem,
		text,
		images: images.length,
		files: files.map(({name}) => name),
		createdAt,
		sentAt,
		notBefore,
		lookUntil,
		tries,
	};
}

/** What became of a message that was to be sent: the contract's answer, and the message in the outbox. */
export function sentJson({item, status}: Pick<DeliveryResult, 'item' | 'status'>): object {
	const {id, sessionId, state, messageId, problem, notBefore} = item;
	return {messageId, status, quarterdeck: {sessionId, outboxId: id, state, problem, notBefore}};
}

export function messageJson(message: Message, role: MessageRole | undefined, sessionId: string): object {
	return {...message, quarterdeck: {role, sessionId}};
}
