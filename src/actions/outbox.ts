import {canDiscard, isDelivered, type OutboxItem} from '../domain/messages/delivery.ts';
import type {OutboxSender} from '../sync/outbox/outbox-sender.ts';

/** The outbox to change: the screen passes its engine; a command, the rows on disk. */
export type Outbox = Pick<OutboxSender, 'discard' | 'resend'>;

export type OutboxRefusal = 'gone' | 'delivered' | 'sending';

/** Queues a failed, waiting or unconfirmed message again, which may then arrive twice. Returns why it can't. */
export function resend(outbox: Outbox, item: OutboxItem | undefined): OutboxRefusal | undefined {
	const refusal = refusalOf(item);
	if (item && !refusal) outbox.resend(item.id);
	return refusal;
}

/** Removes a message that isn't on the wire and returns it, or why it can't. */
export function discard(outbox: Outbox, item: OutboxItem | undefined): OutboxItem | OutboxRefusal {
	const refusal = refusalOf(item);
	if (!item || refusal) return refusal ?? 'gone';
	return outbox.discard(item.id) ?? 'sending';
}

function refusalOf(item: OutboxItem | undefined): OutboxRefusal | undefined {
	if (!item) return 'gone';
	if (isDelivered(item)) return 'delivered';
	return canDiscard(item) ? undefined : 'sending';
}
