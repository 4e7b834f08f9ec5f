import {existsSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {requireRegularFile} from '../../hooks/regular-file.ts';
import {databaseFile} from './storage/database-file.ts';

/** Ids of the computers that the embedded service over a folder has, whether it runs or not. Starts nothing. */
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
		// No database of ours, or not to be read now: the service itself says what is wrong with it.
		return [];
	}
}
