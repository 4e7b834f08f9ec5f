import type {KnownComputer} from '../domain/known.ts';
import {changedRows} from './file/changed-rows.ts';
import type {Connection} from './file/connection.ts';
import {fromJson} from './file/json.ts';
import type {settingsTable} from './settings.ts';

/** Setting with the ids of removed computers. */
const forgottenSetting = 'computers.forgotten';

export function computersTable(connection: Connection, settings: ReturnType<typeof settingsTable>) {
	const rows = changedRows(connection, 'computers');
	return {
		all: (): KnownComputer[] =>
			connection
				.all('SELECT body FROM computers ORDER BY added_at, id')
				.flatMap(row => fromJson<KnownComputer>(row.body) ?? []),
		/** In the order of `all`. */
		ids: () => connection.all('SELECT id FROM computers ORDER BY added_at, id').map(({id}) => String(id)),
		get: (id: string) =>
			fromJson<KnownComputer>(connection.get('SELECT body FROM computers WHERE id = ?', id)?.body),
		/** Computers that another program has written since the last call; the first call returns all. */
		changedElsewhere: (): KnownComputer[] => rows.read().flatMap(body => fromJson<KnownComputer>(body) ?? []),
		/** Runs in one transaction. */
		put(...computers: readonly KnownComputer[]): void {
			const written = computers.map(one => ({id: one.id, added_at: one.addedAt, body: JSON.stringify(one)}));
			connection.write('normal', () => {
				for (const row of written) connection.upsert('computers', ['id'], row);
			});
			for (const {id, body} of written) rows.written(id, body);
		},
		remove(id: string): void {
			connection.write('normal', () => {
				connection.run('DELETE FROM computers WHERE id = ?', id);
				settings.put(forgottenSetting, [...new Set([...idsOf(settings.get(forgottenSetting)), id])]);
			});
		},
		/** Ids of all computers ever removed: discovery doesn't add them back. */
		forgotten: () => idsOf(settings.get(forgottenSetting)),
	};
}

function idsOf(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter(id => typeof id === 'string') : [];
}
