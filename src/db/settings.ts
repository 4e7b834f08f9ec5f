import type {Connection} from './connection.ts';
import type {Database} from './database.ts';
import {fromJson} from './json.ts';

export function settingsTable(connection: Connection): Database['settings'] {
	return {
		get: name => fromJson(connection.get('SELECT value FROM settings WHERE name = ?', name)?.value),
		/** `undefined` deletes the setting. */
		put(name, value) {
			connection.write('normal', () => {
				if (value === undefined) connection.run('DELETE FROM settings WHERE name = ?', name);
				else connection.upsert('settings', ['name'], {name, value: JSON.stringify(value)});
			});
		},
	};
}
