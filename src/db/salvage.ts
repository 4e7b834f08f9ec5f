import {closeSync, copyFileSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync, type SQLInputValue} from 'node:sqlite';
import {makeFolder} from '../../hooks/make-folder.ts';
import {isEmptied, requireRegularFiles, sideFiles} from './file-identity.ts';
import {fromJson} from './json.ts';

/**
 * What can't be read again from the service, most precious first: typed text, then the ids that nothing lists and what was sent.
 * Messages and events are not among them: the service and the agents tell them again.
 */
export const typedTables = [
	'outbox_contents',
	'outbox',
	'draft_attachments',
	'drafts',
	'other_drafts',
] as const;
export const registryTables = [
	'accounts',
	'account_keys',
	'sessions',
	'computers',
	'settings',
	'history',
	'attention',
] as const;

/** Rows of some tables of a file, as far as they could be read. */
export type Salvage = {readonly table: string; readonly rows: readonly Record<string, SQLInputValue>[]}[];

/** A file that another process holds now is not waited for long: ms. */
const patience = 100;
/** How long a repair waits for another program's repair of the same file: ms. */
const repairPatience = 10_000;
/** The setting that names the files and logs whose rows were brought over. */
const broughtOverSetting = 'storage.broughtOver';
const maxBroughtOver = 20;

/**
 * Runs a repair of `file` while no other program repairs it. The lock is on an empty file beside it, which stays: two
 * programs would hold two locks if one of them removed it. Without locks the repair runs all the same.
 */
export function withRepairLock<T>(file: string, repair: () => T): T {
	let lock: DatabaseSync | undefined;
	try {
		makeFolder(dirname(file), 0o700);
		closeSync(openSync(`${file}.repair`, 'a', 0o600));
		lock = new DatabaseSync(`${file}.repair`, {timeout: repairPatience});
		lock.exec('BEGIN EXCLUSIVE');
	} catch {}
	try {
		return repair();
	} finally {
		if (lock?.isOpen) lock.close();
	}
}

/** Reads what is left of `tables`, from a file that may be damaged anywhere. Never raises. */
export function readSalvage(file: string, tables: readonly string[]): Salvage {
	try {
		if (isEmptied(file)) return readLog(file, tables);
		requireRegularFiles(file);
		const handle = new DatabaseSync(file, {timeout: patience});
		try {
			return readTables(handle, tables);
		} finally {
			handle.close();
		}
	} catch {
		return [];
	}
}

/** Waits for the write that another program is in the middle of; once the file was moved, none begins. */
export function readTables(handle: DatabaseSync, tables: readonly string[]): Salvage {
	try {
		handle.exec('BEGIN IMMEDIATE');
	} catch {}
	const salvage = tables.map(table => ({table, rows: readRows(handle, table)}));
	try {
		if (handle.isTransaction) handle.exec('ROLLBACK');
	} catch {}
	return salvage;
}

/** sqlite deletes the log of an empty file, so a copy of the log is read, beside a page that the log writes over. */
function readLog(file: string, tables: readonly string[]): Salvage {
	const folder = mkdtempSync(join(dirname(file), '.salvage-'));
	try {
		const copy = join(folder, 'copy');
		writeFileSync(copy, Buffer.alloc(4096), {mode: 0o600});
		copyFileSync(`${file}-wal`, `${copy}-wal`);
		const handle = new DatabaseSync(copy);
		try {
			return readTables(handle, tables);
		} finally {
			handle.close();
		}
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

/** Can anything of a file be read? */
export function isReadable(file: string): boolean {
	try {
		requireRegularFiles(file);
		const handle = new DatabaseSync(file, {readOnly: true, timeout: patience});
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

/** How far a message of the outbox has come: what was sent must not be sent again because an older file says otherwise. */
const progress = ['failed', 'queued', 'sending', 'unconfirmed', 'accepted', 'seen'];

/** Adds salvaged rows to a file of the present schema; answers how many of each table. A row that doesn't fit is left out. */
function insertRows(handle: DatabaseSync, salvage: Salvage): Map<string, number> {
	const counts = new Map<string, number>();
	for (const {table, rows} of salvage) {
		// A number is given anew: the file may have another row of that number.
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
 * Adds salvaged rows to a file that may have rows of its own: of a message both know, the state that is further along
 * holds, and of two drafts of a session the file's stays and the other is kept beside it. `from` names the file or log
 * they are of: when another program has added the same rows before, nothing is added, because some may have been sent
 * or discarded since. Answers how many rows of each table were added, undefined in that case.
 */
export function mergeSalvage(
	handle: DatabaseSync,
	salvage: Salvage,
	from?: string,
): Map<string, number> | undefined {
	handle.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
	const counts = isBroughtOver(handle, from) ? undefined : mergeRows(handle, salvage);
	if (from !== undefined) noteBroughtOver(handle, from);
	handle.exec('COMMIT; PRAGMA synchronous = NORMAL');
	return counts;
}

function mergeRows(handle: DatabaseSync, salvage: Salvage): Map<string, number> {
	const rowsOf = (name: string) => salvage.find(({table}) => table === name)?.rows ?? [];
	const drafts = handle.prepare('SELECT text FROM drafts WHERE session_id = ?');
	const attachments = rowsOf('draft_attachments');
	const others = rowsOf('drafts').flatMap(({session_id: id = null, text = null}) => {
		const there = drafts.get(id);
		if (!there || there.text === text) return [];
		const attached = attachments.find(row => row.session_id === id);
		const images = fromJson(String(attached?.images)) ?? [];
		const files = fromJson(String(attached?.files)) ?? [];
		return [{session_id: id, body: JSON.stringify({text, images, files})}];
	});
	const counts = insertRows(handle, [...salvage, {table: 'other_drafts', rows: others}]);
	const rank = `(SELECT key FROM json_each('${JSON.stringify(progress)}') WHERE value = ?)`;
	const further = handle.prepare(
		`UPDATE outbox SET state = ?, body = ?, lease_owner = ?, lease_until = ?
		WHERE id = ? AND coalesce(${rank}, 0) > coalesce(${rank.replace('?', 'state')}, 0)`,
	);
	for (const row of rowsOf('outbox')) {
		const {state = null, body = null, lease_owner: owner = null, lease_until: until = 0, id = null} = row;
		further.run(state, body, owner, until, id, state);
	}
	return counts;
}

function broughtOver(handle: DatabaseSync): string[] {
	const row = handle.prepare('SELECT value FROM settings WHERE name = ?').get(broughtOverSetting);
	const names = fromJson<unknown>(row?.value);
	return Array.isArray(names) ? names.map(String) : [];
}

function isBroughtOver(handle: DatabaseSync, from: string | undefined): boolean {
	return from !== undefined && broughtOver(handle).includes(from);
}

function noteBroughtOver(handle: DatabaseSync, from: string): void {
	const names = [...broughtOver(handle).filter(name => name !== from), from].slice(-maxBroughtOver);
	handle
		.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)')
		.run(broughtOverSetting, JSON.stringify(names));
}

/** Another program may move or remove it at the same time. */
function moveIfThere(file: string, target: string): boolean {
	try {
		renameSync(file, target);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
		throw error;
	}
}

/**
 * Renames the file and what belongs to it out of the way, or only the parts with the `suffixes`. Answers the file's new
 * name, and what was moved: the file, or its log if that is all.
 */
export function moveAside(
	file: string,
	now: number,
	suffixes: readonly string[] = ['', ...sideFiles],
): {target: string; moved: string} {
	const target = `${file}.damaged-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
	const moved = suffixes.filter(suffix => moveIfThere(file + suffix, target + suffix));
	return {target, moved: target + (moved[0] ?? '')};
}
