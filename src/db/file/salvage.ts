import {copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync, type SQLInputValue} from 'node:sqlite';
import {isEmptied, requireRegularFiles, sideFiles} from './file-identity.ts';
import {fromJson} from './json.ts';
import {withoutWriters} from './repair-lock.ts';
import {unlessStorageFails} from './storage-error.ts';

/**
 * Tables with data the service can't send again, most precious first: typed text, then ids that no endpoint
 * lists, then sent texts. Messages and events are left out: the service and the agents can send them again.
 */
export const draftTables = ['draft_attachments', 'drafts', 'other_drafts'] as const;
export const typedTables = ['outbox_contents', 'outbox', ...draftTables] as const;
export const registryTables = [
	'accounts',
	'account_openers',
	'sessions',
	'computers',
	'settings',
	'history',
	'attention',
	'computer_attention',
] as const;

/** The rows of some tables, as far as they could be read. */
export type Salvage = {readonly table: string; readonly rows: readonly Record<string, SQLInputValue>[]}[];

/** How long to wait for a file that another process has locked, ms. */
const salvageTimeout = 100;
/** Setting with the files and logs whose rows were merged. */
const mergedSetting = 'storage.broughtOver';
const maxMerged = 20;

/** Reads as much as possible of `tables` from a file that may be damaged anywhere. Never throws. */
export function readSalvage(file: string, tables: readonly string[]): Salvage {
	return salvageFrom(file, handle => readTables(handle, tables));
}

/** `readSalvage` for a file that was moved aside; waits for writes that began before the move. */
export function readMoved(file: string, tables: readonly string[]): Salvage {
	return salvageFrom(file, handle => {
		const read = () => readTables(handle, tables);
		return unlessStorageFails(() => withoutWriters(handle, read)) ?? read();
	});
}

function salvageFrom(file: string, read: (handle: DatabaseSync) => Salvage): Salvage {
	try {
		if (isEmptied(file)) return readLog(file, read);
		requireRegularFiles(file);
		const handle = new DatabaseSync(file, {timeout: salvageTimeout, defensive: false});
		try {
			// Only with this does sqlite read a file that was cut off.
			handle.exec('PRAGMA writable_schema = ON');
			return read(handle);
		} finally {
			handle.close();
		}
	} catch {
		return [];
	}
}

export function readTables(handle: DatabaseSync, tables: readonly string[]): Salvage {
	return tables.map(table => ({table, rows: readRows(handle, table)}));
}

/** sqlite deletes an empty file's log, so a copy of the log is read next to a page that it overwrites. */
function readLog(file: string, read: (handle: DatabaseSync) => Salvage): Salvage {
	const folder = mkdtempSync(join(dirname(file), '.salvage-'));
	try {
		const copy = join(folder, 'copy');
		writeFileSync(copy, Buffer.alloc(4096), {mode: 0o600});
		copyFileSync(`${file}-wal`, `${copy}-wal`);
		const handle = new DatabaseSync(copy);
		try {
			return read(handle);
		} finally {
			handle.close();
		}
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

/** Whether any part of the file can be read. */
export function isReadable(file: string): boolean {
	try {
		requireRegularFiles(file);
		const handle = new DatabaseSync(file, {readOnly: true, timeout: salvageTimeout});
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

/** Damage stops a scan, so the table is also scanned from its other end, and without its index. */
function readRows(handle: DatabaseSync, table: string): Record<string, SQLInputValue>[] {
	const found = new Map<string, Record<string, SQLInputValue>>();
	for (const order of ['ORDER BY 1', 'ORDER BY 1 DESC', '']) {
		try {
			for (const row of handle.prepare(`SELECT * FROM ${table} ${order}`).iterate()) {
				found.set(String(Object.values(row)[0]), row as Record<string, SQLInputValue>);
			}
			break;
		} catch {}
	}
	return [...found.values()];
}

/** Delivery states in order: an older file must not set a sent message back, or it would be sent again. */
const stateOrder = ['failed', 'queued', 'sending', 'unconfirmed', 'accepted', 'seen'];

/** Inserts salvaged rows into a file of the current schema. Skips misfits; returns counts by table. */
function insertRows(handle: DatabaseSync, salvage: Salvage): Map<string, number> {
	const counts = new Map<string, number>();
	for (const {table, rows} of salvage) {
		// Let sqlite assign a new sequence number: the file may already use this one.
		for (const {sequence: _, ...row} of rows) {
			const columns = Object.keys(row);
			try {
				const {changes} = handle
					.prepare(
						`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
					)
					.run(...Object.values(row));
				counts.set(table, (counts.get(table) ?? 0) + Number(changes));
			} catch {}
		}
	}
	return counts;
}

/**
 * Merges salvaged rows into a file that may have its own. For a message in both, the state further along
 * wins; for two drafts of a session, the file's stays and the other becomes one of its other drafts. `from`
 * identifies the file or log the rows are from: if another program has already merged them, nothing is added,
 * since some may have been sent or discarded since. Returns the rows added by table, or undefined in that
 * case.
 */
export function mergeSalvage(
	handle: DatabaseSync,
	salvage: Salvage,
	from?: string,
): Map<string, number> | undefined {
	if (isMerged(handle, from)) return undefined;
	handle.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
	const counts = mergeRows(handle, salvage);
	if (from !== undefined) recordMerged(handle, from);
	handle.exec('COMMIT; PRAGMA synchronous = NORMAL');
	return counts;
}

function mergeRows(handle: DatabaseSync, salvage: Salvage): Map<string, number> {
	const rowsOf = (name: string) => salvage.find(({table}) => table === name)?.rows ?? [];
	const drafts = handle.prepare('SELECT text FROM drafts WHERE session_id = ?');
	const attachments = rowsOf('draft_attachments');
	const otherDrafts = rowsOf('drafts').flatMap(({session_id: id = null, text = null}) => {
		const stored = drafts.get(id);
		if (!stored || stored.text === text) return [];
		const attached = attachments.find(row => row.session_id === id);
		const images = fromJson(String(attached?.images)) ?? [];
		const files = fromJson(String(attached?.files)) ?? [];
		return [{session_id: id, body: JSON.stringify({text, images, files})}];
	});
	const counts = insertRows(handle, [...salvage, {table: 'other_drafts', rows: otherDrafts}]);
	const rank = `(SELECT key FROM json_each('${JSON.stringify(stateOrder)}') WHERE value = ?)`;
	const advance = handle.prepare(
		`UPDATE outbox SET state = ?, body = ?, lease_owner = ?, lease_until = ?
		WHERE id = ? AND coalesce(${rank}, 0) > coalesce(${rank.replace('?', 'state')}, 0)`,
	);
	for (const row of rowsOf('outbox')) {
		const {state = null, body = null, lease_owner: owner = null, lease_until: until = 0, id = null} = row;
		advance.run(state, body, owner, until, id, state);
	}
	return counts;
}

function mergedSources(handle: DatabaseSync): string[] {
	const row = handle.prepare('SELECT value FROM settings WHERE name = ?').get(mergedSetting);
	const names = fromJson<unknown>(row?.value);
	return Array.isArray(names) ? names.map(String) : [];
}

function isMerged(handle: DatabaseSync, from: string | undefined): boolean {
	return from !== undefined && mergedSources(handle).includes(from);
}

function recordMerged(handle: DatabaseSync, from: string): void {
	const names = [...mergedSources(handle).filter(name => name !== from), from].slice(-maxMerged);
	handle
		.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)')
		.run(mergedSetting, JSON.stringify(names));
}

/** Tolerates another program moving or removing the file at the same time. */
function moveIfPresent(file: string, target: string): boolean {
	try {
		renameSync(file, target);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
		throw error;
	}
}

/**
 * Moves the file and its side files aside, or only the parts with the given `suffixes`. Returns the file's
 * new path, and what was moved: the file, or only its log.
 */
export function moveAside(
	file: string,
	now: number,
	suffixes: readonly string[] = ['', ...sideFiles],
): {target: string; moved: string} {
	const target = `${file}.damaged-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
	const moved = suffixes.filter(suffix => moveIfPresent(file + suffix, target + suffix));
	return {target, moved: target + (moved[0] ?? '')};
}
