import type {KnownSession} from '../domain/known.ts';
import {changedRows} from './file/changed-rows.ts';
import type {Connection} from './file/connection.ts';
import {fromJson} from './file/json.ts';
import {removeListing} from './messages/listings.ts';
import type {MessageWatch} from './messages/message-watch.ts';

export function sessionsTable(connection: Connection, watch: MessageWatch) {
	const rows = changedRows(connection, 'sessions');
	return {
		all: (): KnownSession[] =>
			connection
				.all('SELECT body FROM sessions ORDER BY added_at, id')
				.flatMap(row => fromJson<KnownSession>(row.body) ?? []),
		/** In the order of `all`. */
		ids: () => connection.all('SELECT id FROM sessions ORDER BY added_at, id').map(({id}) => String(id)),
		get: (id: string) =>
			fromJson<KnownSession>(connection.get('SELECT body FROM sessions WHERE id = ?', id)?.body),
		/** Sessions that another program has written since the last call; the first call returns all. */
		changedElsewhere: (): KnownSession[] => rows.read().flatMap(body => fromJson<KnownSession>(body) ?? []),
		put(session: KnownSession): void {
			const row = {id: session.id, added_at: session.addedAt, body: JSON.stringify(session)};
			connection.write('normal', () => connection.upsert('sessions', ['id'], row));
			rows.written(row.id, row.body);
		},
		/** Also deletes the cached messages. The draft and the outbox rows stay, since they are the user's. */
		remove(id: string): void {
			connection.write('normal', () => {
				connection.run('DELETE FROM sessions WHERE id = ?', id);
				removeListing(connection, id);
			});
			watch.publish(id, 'all');
		},
	};
}
