import {randomUUID} from 'node:crypto';
import {isServiceError} from '../api/errors.ts';
import {outcomeOf} from '../api/outcome.ts';
import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {OutboxItem} from '../domain/delivery.ts';
import type {AddedMessage, MessageDraft} from '../domain/message.ts';
import type {Clock} from '../sync/clock.ts';
import {OutcomeUnknownError} from './outcome-unknown-error.ts';

export type Delivery = {
	readonly service: Service;
	readonly database: Database;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	readonly sessionId: string;
	readonly draft: MessageDraft;
};

/** Another message of the same session is under way in another process. */
export class SessionBusyError extends Error {
	override readonly name = 'SessionBusyError';
}

/** Longer than any post can take, ms: no other process may touch the row meanwhile. */
const leaseTime = 10 * 60_000;

/**
 * Posts one message by way of the outbox: on disk before it is on the wire, once, and never again by itself
 * (SERVICE-NOTES, Sending). What was surely refused is kept as `failed`, for the user to look at; an unknown outcome
 * is kept as `unconfirmed` and thrown as `OutcomeUnknownError`.
 */
export async function deliver({
	service,
	database,
	clock,
	signal,
	sessionId,
	draft,
}: Delivery): Promise<AddedMessage> {
	const {outbox} = database;
	const owner = `${process.pid}`;
	const now = clock.now();
	let item: OutboxItem = {
		id: randomUUID(),
		sessionId,
		...(draft.computerId !== undefined && {computerId: draft.computerId}),
		text: draft.text,
		images: draft.images ?? [],
		files: draft.files ?? [],
		state: 'sending',
		createdAt: now,
		sentAt: now,
		tries: 1,
	};
	const keep = (change: Partial<OutboxItem>) => {
		item = {...item, ...change};
		outbox.put(item);
	};
	const isOurs = outbox.exclusively(() => {
		outbox.put(item);
		if (outbox.lease(item.id, owner, now + leaseTime)) return true;
		outbox.remove(item.id);
		return false;
	});
	if (!isOurs) {
		throw new SessionBusyError('another message of this session is being sent: nothing was sent, try again');
	}
	try {
		const added = await service.messages.add(sessionId, draft, {signal});
		keep({state: 'accepted', messageId: added.messageId});
		return added;
	} catch (error) {
		const isUnknown = outcomeOf(error) === 'unknown';
		const problem = isServiceError(error) ? error.what : (error as Error).message;
		keep({state: isUnknown ? 'unconfirmed' : 'failed', problem});
		if (!isUnknown) throw error;
		throw new OutcomeUnknownError(
			`${problem} The message may have been accepted; it is kept and not sent again: look with quarterdeck messages ${sessionId}.`,
			{cause: error},
		);
	} finally {
		outbox.release(item.id, owner);
	}
}
