import {existsSync, renameSync} from 'node:fs';
import {DatabaseSync, type SQLInputValue} from 'node:sqlite';

/**
 * What can't be read again from the service, most precious first: typed text, then the ids that nothing lists and what was sent.
 * Messages and events are not among them: the service and the agents tell them again.
 */
export const typedTables = ['outbox_contents', 'outbox', 'draft_attachments', 'drafts'] as const;
export const registryTables = ['sessions', 'computers', 'settings', 'history', 'attention'] as const;

/** Rows of some tables of a file, as far as they could be read. */
export type Salvage = {readonly table: string; readonly rows: readonly Record<string, SQLInputValue>[]}[];

/** Reads what is left of `tables`, from a file that may be damaged anywhere. Never raises. */
export function readSalvage(location: string | URL, tables: readonly string[]): Salvage {
	let handle: DatabaseSync;
	try {
		handle = new DatabaseSync(location, {readOnly: true, timeout: 1000});
	} catch {
		return [];
	}
	try {
		return tables.map(table => ({table, rows: readRows(handle, table)}));
	} finally {
		handle.close();
	}
}

/** Can anything of a file be read? */
export function isReadable(location: string | URL): boolean {
	try {
		const handle = new DatabaseSync(location, {readOnly: true, timeout: 1000});
		try {
			handle.prepare('SELECT 1 FROM sqlite_schema').get();
		} finally {
			handle.close();
		}
		return true;
	} catch {
		return false;
	}
}

/** Damage ends a walk: the same table is walked from its other end as well, to get round the bad page. */
function readRows(handle: DatabaseSync, table: string): Record<string, SQLInputValue>[] {
	const found = new Map<string, Record<string, SQLInputValue>>();
	for (const direction of ['ASC', 'DESC']) {
		try {
			for (const row of handle.prepare(`SELECT * FROM ${table} ORDER BY 1 ${direction}`).iterate()) {
				found.set(String(Object.values(row)[0]), row as Record<string, SQLInputValue>);
			}
			break;
		} catch {}
	}
	return [...found.values()];
}

/** Puts salvaged rows into a file of the present schema; answers how many of each table. A row that doesn't fit is left out. */
export function writeSalvage(handle: DatabaseSync, salvage: Salvage): Map<string, number> {
	const counts = new Map<string, number>();
	handle.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
	for (const {table, rows} of salvage) {
		for (const row of rows) {
			const columns = Object.keys(row);
			try {
				handle
					.prepare(
						`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
					)
					.run(...Object.values(row));
				counts.set(table, (counts.get(table) ?? 0) + 1);
			} catch {}
		}
	}
	handle.exec('COMMIT; PRAGMA synchronous = NORMAL');
	return counts;
}

/** Renames the file and what belongs to it out of the way; answers its new name. */
export function moveAside(file: string, now: number): string {
	const target = `${file}.damaged-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
	for (const suffix of ['', '-wal', '-shm', '-journal']) {
		if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
	}
	return target;
}
