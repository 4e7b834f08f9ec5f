import type {KnownComputer} from '../domain/known.ts';
import type {Connection} from './connection.ts';
import type {Database} from './database.ts';
import {fromJson} from './json.ts';

/** Setting with the ids of removed computers. */
const forgottenSetting = 'computers.forgotten';

export function computersTable(
	connection: Connection,
	settings: Database['settings'],
): Database['computers'] {
	return {
		all: () =>
			connection
				.all('SELECT body FROM computers ORDER BY added_at, id')
				.flatMap(row => fromJson<KnownComputer>(row.body) ?? []),
		ids: () => connection.all('SELECT id FROM computers ORDER BY added_at, id').map(({id}) => String(id)),
		get: id => fromJson<KnownComputer>(connection.get('SELECT body FROM computers WHERE id = ?', id)?.body),
		put(...computers) {
			connection.write('normal', () => {
				for (const computer of computers) {
					const row = {id: computer.id, added_at: computer.addedAt, body: JSON.stringify(computer)};
					connection.upsert('computers', ['id'], row);
				}
			});
		},
		remove(id) {
			connection.write('normal', () => {
				connection.run('DELETE FROM computers WHERE id = ?', id);
				settings.put(forgottenSetting, [...new Set([...idsOf(settings.get(forgottenSetting)), id])]);
			});
		},
		forgotten: () => idsOf(settings.get(forgottenSetting)),
	};
}

function idsOf(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter(id => typeof id === 'string') : [];
}
