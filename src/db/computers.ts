import type {KnownComputer} from '../domain/known.ts';
import type {Connection} from './file/connection.ts';
import {knownRows} from './known-rows.ts';
import type {settingsTable} from './settings.ts';

const forgottenSetting = 'computers.forgotten';

export function computersTable(connection: Connection, settings: ReturnType<typeof settingsTable>) {
	const rows = knownRows<KnownComputer>(connection, 'computers');
	/** Ids of all computers ever removed: discovery doesn't add them back. */
	const forgotten = (): readonly string[] => {
		const ids = settings.get(forgottenSetting);
		return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
	};
	return {
		...rows,
		remove(id: string): void {
			rows.remove(id, () => settings.put(forgottenSetting, [...new Set([...forgotten(), id])]));
		},
		forgotten,
	};
}
