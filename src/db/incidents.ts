import type {Connection} from './connection.ts';
import type {Database} from './database.ts';
import {fromJson} from './json.ts';

/** A one-line description of what happened to a database file and what was done. `at` is Unix ms. */
export type Incident = {readonly at: number; readonly what: string};

/** Setting with the incidents that the user has not acknowledged. */
export const incidentsSetting = 'storage.incidents';
const maxKept = 20;

export function incidentsTable(
	connection: Connection,
	settings: Database['settings'],
): Database['incidents'] {
	const all = () => readIncidents(settings.get(incidentsSetting));
	return {
		all,
		acknowledge: () => settings.put(incidentsSetting, undefined),
		add(incident) {
			connection.write('full', () => settings.put(incidentsSetting, [...all(), incident].slice(-maxKept)));
		},
	};
}

/** Parses stored incidents, skipping invalid entries. */
export function readIncidents(value: unknown): Incident[] {
	const list = typeof value === 'string' ? fromJson<unknown>(value) : value;
	if (!Array.isArray(list)) return [];
	return list.filter(one => typeof one?.what === 'string' && typeof one?.at === 'number');
}
