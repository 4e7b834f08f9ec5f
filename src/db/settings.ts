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

/** A one-line description of an incident with a database file and of the repair. `at` is Unix ms. */
type Incident = {readonly at: number; readonly what: string};

/** Setting with the incidents that the user has not acknowledged. */
export const incidentsSetting = 'storage.incidents';
const maxIncidents = 20;

/** What happened to the file, oldest first, until the user acknowledges it. Stored in the file. */
export function incidentsTable(connection: Connection, settings: ReturnType<typeof settingsTable>) {
	const all = () => readIncidents(settings.get(incidentsSetting));
	return {
		all,
		acknowledge: () => settings.put(incidentsSetting, undefined),
		/** Records an incident, also one with another file of this machine. */
		add(incident: Incident): void {
			connection.write('full', () =>
				settings.put(incidentsSetting, [...all(), incident].slice(-maxIncidents)),
			);
		},
	};
}

/** Parses stored incidents, skipping invalid entries. */
export function readIncidents(value: unknown): Incident[] {
	const list = typeof value === 'string' ? fromJson<unknown>(value) : value;
	if (!Array.isArray(list)) return [];
	return list.filter(item => typeof item?.what === 'string' && typeof item?.at === 'number');
}
