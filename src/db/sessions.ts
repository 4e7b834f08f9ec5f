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
		/** All, as a start for `changedElsewhere`. */
		load: (): KnownSession[] => rows.readAll().flatMap(body => fromJson<KnownSession>(body) ?? []),
		/** What another program has changed since the last call. */
		changedElsewhere() {
			const {changed, removed} = rows.readChanges();
			return {changed: changed.flatMap(body => fromJson<KnownSession>(body) ?? []), removed};
		},
		/** The session if another program has written it since it was last read here. */
		ifChangedElsewhere: (id: string) => fromJson<KnownSession>(rows.readOne(id)),
		/** Saves a session, unless another program has removed it. */
		put(session: KnownSession): void {
			const row = {id: session.id, added_at: session.addedAt, body: JSON.stringify(session)};
			connection.write('normal', () => {
				if (rows.isGone(row.id)) return;
				connection.upsert('sessions', ['id'], row);
				rows.written(row.id, row.body);
			});
		},
		/** Also deletes the cached messages. The draft and the outbox rows stay, since they are the user's. */
		remove(id: string): void {
			connection.write('normal', () => {
				connection.run('DELETE FROM sessions WHERE id = ?', id);
				removeListing(connection, id);
			});
			rows.removed(id);
			watch.publish(id, 'all');
		},
	};
}
