import type {OutboxItem} from '../domain/delivery.ts';
import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/**
 * Removes a message from the outbox and returns it, so that its text can go back to the composer. Returns
 * undefined while it is being sent.
 */
export function discardMessage(context: ActionContext, outboxId: string): OutboxItem | undefined {
	const item = context.engine.discard(outboxId);
	if (item) notify(context, 'info', 'Taken back into the composer');
	else notify(context, 'info', 'It is being sent: wait for the result');
	return item;
}
