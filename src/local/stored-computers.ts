import {existsSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {requireRegularFile} from '../../hooks/regular-file.ts';
import {databaseFile} from './storage/database-file.ts';

/** Ids of the computers in an embedded service's folder, whether it is running or not. Starts nothing. */
export function storedComputerIds(folder: string): readonly string[] {
	const file = databaseFile(folder);
	if (!existsSync(file)) return [];
	try {
		for (const suffix of ['', '-wal', '-shm']) requireRegularFile(file + suffix);
		const database = new DatabaseSync(file, {readOnly: true, timeout: 1000});
		try {
			const rows = database.prepare('SELECT id FROM computers ORDER BY created_at, id').all();
			return rows.map(({id}) => String(id));
		} finally {
			database.close();
		}
	} catch {
		// Not our database, or unreadable right now: the service itself reports the problem.
		return [];
	}
}
