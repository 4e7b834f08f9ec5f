import {type Connection, fromJson} from './file/connection.ts';

/** Small pieces of UI state (last open session, sizes, ...), as JSON values. */
export function settingsTable(connection: Connection) {
	return {
		get: (name: string): unknown =>
			fromJson(connection.get('SELECT value FROM settings WHERE name = ?', name)?.value),
		/** `undefined` deletes the setting. */
		put(name: string, value: unknown): void {
			connection.write('normal', () => {
				if (value === undefined) connection.run('DELETE FROM settings WHERE name = ?', name);
				else connection.upsert('settings', ['name'], {name, value: JSON.stringify(value)});
			});
		},
	};
}
