import type {OutboxItem} from '../domain/delivery.ts';
import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';

/** Resends a failed or unconfirmed message at the user's request. */
export function resendMessage(context: ActionContext, item: OutboxItem): void {
	context.engine.resend(item.id);
	const isRisky = item.state === 'unconfirmed';
	notify(context, 'info', isRisky ? 'Sent again: it may arrive twice' : 'Sent again');
}
