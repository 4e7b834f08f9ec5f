import type {KnownSession} from '../domain/known.ts';
import type {Connection} from './file/connection.ts';
import {knownRows} from './known-rows.ts';
import {removeListing} from './messages/listings.ts';
import type {MessageWatch} from './messages/message-watch.ts';

export function sessionsTable(connection: Connection, watch: MessageWatch) {
	const rows = knownRows<KnownSession>(connection, 'sessions');
	return {
		...rows,
		/** Also deletes the cached messages. The draft and the outbox rows stay, since they are the user's. */
		remove(id: string): void {
			rows.remove(id, () => removeListing(connection, id));
			watch.publish(id, 'all');
		},
	};
}
