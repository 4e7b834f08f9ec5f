import type {Computer} from '../../domain/computers/computer.ts';
import {failureOf} from '../../domain/computers/provisioning.ts';
import type {KnownComputer, KnownSession} from '../../domain/known.ts';
import {maskSecrets} from '../../domain/masking.ts';
import type {OutboxItem} from '../../domain/messages/delivery.ts';
import type {Message, MessageRole} from '../../domain/messages/message.ts';

/**
 * JSON output: the contract's fields unchanged, and ours under `quarterdeck`. Secrets of computers and
 * sessions are masked.
 */

type Relay = Pick<Computer, 'relayClientUrl' | 'relayAgentUrl'>;

/** `relay`: addresses that the user asked to see. `more`: further fields of ours. */
export function computerJson(
	{id, computer, origin, addedAt, fetchedAt}: KnownComputer,
	relay: Relay = {},
	more: object = {},
): object {
	const failure = failureOf(computer);
	return {
		...maskSecrets(computer ?? {}),
		id,
		...relay,
		quarterdeck: {
			origin,
			addedAt,
			fetchedAt,
			failure: failure && {reason: failure.reason, since: failure.since},
			...maskSecrets(more),
		},
	};
}

/** A computer's relay addresses. Anyone who has them gets access. */
export function relayOf({relayClientUrl, relayAgentUrl}: Computer): Relay {
	return {relayClientUrl: relayClientUrl || undefined, relayAgentUrl: relayAgentUrl || undefined};
}

/** `more`: further fields of ours. */
export function sessionJson(known: KnownSession, more: object = {}): object {
	const {id, session, origin, addedAt, fetchedAt, status, computerId, cwd} = known;
	// These only serve to notice that an answer has grown.
	const {answer: _, seenAnswer: __, ...activity} = known.activity ?? {};
	return {
		...maskSecrets(session ?? {}),
		sessionId: id,
		computerId: session?.computerId,
		quarterdeck: {
			...maskSecrets({
				origin,
				addedAt,
				fetchedAt,
				...more,
				status,
				activity: known.activity && activity,
			}),
			computerId,
			cwd,
		},
	};
}

/** An outbox message: our own form, as the contract has none. Omits the attachments' contents. */
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

export function messageJson(message: Message, role: MessageRole | undefined, sessionId: string): object {
	return {...message, quarterdeck: {role, sessionId}};
}
