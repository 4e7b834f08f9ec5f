import type {KnownComputer} from '../domain/known.ts';
import type {Connection} from './connection.ts';
import type {Database} from './database.ts';
import {fromJson} from './json.ts';

export function computersTable(connection: Connection): Database['computers'] {
	return {
		all: () =>
			connection
				.all('SELECT body FROM computers ORDER BY added_at, id')
				.flatMap(row => fromJson<KnownComputer>(row.body) ?? []),
		put(computer) {
			connection.write('normal', () =>
				connection.run(
					'INSERT INTO computers (id, added_at, body) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET added_at = excluded.added_at, body = excluded.body',
					computer.id,
					computer.addedAt,
					JSON.stringify(computer),
				),
			);
		},
		remove(id) {
			connection.write('normal', () => connection.run('DELETE FROM computers WHERE id = ?', id));
		},
	};
}
