import {randomUUID} from 'node:crypto';
import {isServiceError} from '../api/errors.ts';
import {outcomeOf} from '../api/outcome.ts';
import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import {type DeliveryEvent, deliver, type OutboxItem, saysTheSame} from '../domain/delivery.ts';
import type {KnownSession} from '../domain/known.ts';
import type {AddedMessage, MessageDraft} from '../domain/message.ts';
import type {Clock} from '../sync/clock.ts';
import {lookTime} from '../sync/post-outcome.ts';
import {OutcomeUnknownError} from './outcome-unknown-error.ts';
import {untilFound} from './until-found.ts';

export type Posting = {
	readonly service: Service;
	readonly database: Database;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	readonly sessionId: string;
	/** What is known of the session here: one that was made a moment ago may not be found yet. */
	readonly known?: KnownSession;
	readonly draft: MessageDraft;
};

/** Another message of the same session is under way in another process. */
class SessionBusyError extends Error {
	override readonly name = 'SessionBusyError';
}

/** Longer than any post can take, ms: no other process takes the row for left behind meanwhile. */
const leaseTime = 4 * 60_000;

/**
 * Posts one message by way of the outbox: on disk before it is on the wire, once, and never again by itself
 * (SERVICE-NOTES, Sending). What was surely not accepted is kept as `failed`, for the user to choose; an unknown
 * outcome is kept as `unconfirmed` and thrown as `OutcomeUnknownError`.
 */
export async function postMessage(posting: Posting): Promise<AddedMessage> {
	const {service, database, clock, signal, sessionId, draft} = posting;
	const {outbox} = database;
	const owner = `${process.pid}-${randomUUID()}`;
	let item = claim(posting, owner);
	const keep = (event: DeliveryEvent) => {
		item = deliver(item, event);
		outbox.put(item);
	};
	try {
		const added = await untilFound(posting.known, posting, () =>
			service.messages.add(sessionId, draft, {signal}),
		);
		keep({type: 'accepted', messageId: added.messageId});
		return added;
	} catch (error) {
		const problem = isServiceError(error) ? error.what : (error as Error).message;
		if (outcomeOf(error) !== 'unknown') {
			keep({type: 'refused', problem});
			throw error;
		}
		keep({type: 'lost', problem, lookUntil: clock.now() + lookTime});
		const advice = `The message may have been accepted; it is kept and not sent again: look with quarterdeck messages ${sessionId}.`;
		throw new OutcomeUnknownError(`${problem} ${advice}`, {cause: error});
	} finally {
		outbox.release(item.id, owner);
	}
}

/** Puts the message on disk as being sent, with the right to send it: one step, that no other process can come between. */
function claim({database, clock, sessionId, draft}: Posting, owner: string): OutboxItem {
	const {outbox, messages} = database;
	const now = clock.now();
	const item: OutboxItem = {
		id: randomUUID(),
		sessionId,
		...(draft.computerId !== undefined && {computerId: draft.computerId}),
		text: draft.text,
		images: draft.images ?? [],
		files: draft.files ?? [],
		state: 'queued',
		createdAt: now,
		tries: 0,
	};
	const knownBefore = messages
		.tail(sessionId, 100)
		.flatMap(({message}) => (saysTheSame(item, message) ? [message.id] : []));
	const sending = deliver(item, {type: 'sending', at: now, knownBefore});
	const isOurs = outbox.exclusively(() => {
		outbox.put(sending);
		if (outbox.lease(item.id, owner, now + leaseTime)) return true;
		outbox.remove(item.id);
		return false;
	});
	if (isOurs) return sending;
	throw new SessionBusyError('another message of this session is being sent: nothing was sent, try again');
}
