import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {requireRegularFile} from '../../hooks/regular-file.ts';

export function databaseFile(folder: string): string {
	return join(folder, 'service.sqlite');
}

/** Ids of the computers in an embedded service's folder, whether it is running or not. Starts nothing. */
export function storedComputerIds(folder: string): readonly string[] {
	return readColumn(folder, 'SELECT id FROM computers ORDER BY created_at, id').map(String);
}

/** The other machines among them. */
export function storedMachines(folder: string): readonly {readonly id: string; readonly name: string}[] {
	const sql = `SELECT json_object('id', id, 'name', name) FROM computers WHERE machine IS NOT NULL`;
	return readColumn(folder, sql).map(row => JSON.parse(String(row)));
}

/** The worktrees of sessions that were not removed. */
export function storedWorktrees(
	folder: string,
): readonly {readonly repository: string; readonly branch: string; readonly isRemoved?: boolean}[] {
	const rows = readColumn(folder, 'SELECT worktree FROM sessions WHERE worktree IS NOT NULL');
	return rows.map(row => JSON.parse(String(row))).filter(({isRemoved}) => !isRemoved);
}

/** The process that runs the service of a folder, whether it answers or not. */
export function storedServicePid(folder: string): number | undefined {
	const [pid = 0] = readColumn(folder, `SELECT value FROM identity WHERE name = 'process'`).map(Number);
	try {
		// Signal 0 reaches nobody: it tells whether the process runs.
		return pid > 0 && process.kill(pid, 0) ? pid : undefined;
	} catch {
		return undefined;
	}
}

function readColumn(folder: string, sql: string): readonly unknown[] {
	const file = databaseFile(folder);
	if (!existsSync(file)) return [];
	try {
		for (const suffix of ['', '-wal', '-shm']) requireRegularFile(file + suffix);
		const database = new DatabaseSync(file, {readOnly: true, timeout: 1000});
		try {
			return database
				.prepare(sql)
				.all()
				.flatMap(row => Object.values(row));
		} finally {
			database.close();
		}
	} catch {
		// Not our database, or unreadable right now: the service itself reports the problem.
		return [];
	}
}
