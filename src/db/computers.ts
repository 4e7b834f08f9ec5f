import type {KnownComputer} from '../domain/known.ts';
import {changedRows} from './file/changed-rows.ts';
import type {Connection} from './file/connection.ts';
import {fromJson} from './file/json.ts';
import type {settingsTable} from './settings.ts';

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
		/** All, as a start for `changedElsewhere`. */
		load: (): KnownComputer[] => rows.readAll().flatMap(body => fromJson<KnownComputer>(body) ?? []),
		/** What another program has changed since the last call. */
		changedElsewhere() {
			const {changed, removed} = rows.readChanges();
			return {changed: changed.flatMap(body => fromJson<KnownComputer>(body) ?? []), removed};
		},
		/** Saves computers in one transaction, except those that another program has removed. */
		put(...computers: readonly KnownComputer[]): void {
			connection.write('normal', () => {
				for (const computer of computers) {
					const row = {id: computer.id, added_at: computer.addedAt, body: JSON.stringify(computer)};
					if (rows.isGone(row.id)) continue;
					connection.upsert('computers', ['id'], row);
					rows.written(row.id, row.body);
				}
			});
		},
		remove(id: string): void {
			connection.write('normal', () => {
				connection.run('DELETE FROM computers WHERE id = ?', id);
				settings.put(forgottenSetting, [...new Set([...idsOf(settings.get(forgottenSetting)), id])]);
			});
			rows.removed(id);
		},
		/** Ids of all computers ever removed: discovery doesn't add them back. */
		forgotten: () => idsOf(settings.get(forgottenSetting)),
	};
}

function idsOf(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter(id => typeof id === 'string') : [];
}
