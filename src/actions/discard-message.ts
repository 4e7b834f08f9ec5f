import type {OutboxItem} from '../domain/delivery.ts';
import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Takes a message out of the outbox and answers it, so that its text goes back to the composer. */
export function discardMessage(context: ActionContext, outboxId: string): OutboxItem | undefined {
	const item = context.engine.discard(outboxId);
	if (item) notify(context, 'info', 'Taken back into the composer');
	else notify(context, 'info', 'It is being sent: wait for the result');
	return item;
}
