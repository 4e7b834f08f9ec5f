import {renameSync} from 'node:fs';
import {DatabaseSync, type SQLInputValue} from 'node:sqlite';
import {requireRegularFiles, sideFiles} from './open-file.ts';

/**
 * Tables with data the service can't send again, most precious first: typed text, then ids that no endpoint
 * lists, then sent texts. Messages and events are left out: the service and the agents can send them again.
 */
export const draftTables = ['draft_attachments', 'drafts'] as const;
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

/**
 * Reads as much as possible of `tables` from a file that may be damaged anywhere. Undefined if nothing of it can be
 * read. Never throws.
 */
export function readSalvage(file: string, tables: readonly string[]): Salvage | undefined {
	try {
		requireRegularFiles(file);
		const handle = new DatabaseSync(file, {timeout: salvageTimeout, defensive: false});
		try {
			// Only with this does sqlite read a file that was cut off.
			handle.exec('PRAGMA writable_schema = ON; SELECT 1 FROM sqlite_schema');
			return readTables(handle, tables);
		} finally {
			handle.close();
		}
	} catch {
		return undefined;
	}
}

export function readTables(handle: DatabaseSync, tables: readonly string[]): Salvage {
	return tables.map(table => ({table, rows: readRows(handle, table)}));
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

/**
 * Inserts salvaged rows into a file that may have its own. For a message in both, the state further along
 * wins; of two drafts of a session, the file's stays and the other's text goes to the history. Skips misfits; returns
 * counts by table.
 */
export function insertRows(handle: DatabaseSync, salvage: Salvage): Map<string, number> {
	handle.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
	const counts = mergeRows(handle, salvage);
	handle.exec('COMMIT; PRAGMA synchronous = NORMAL');
	return counts;
}

function addRows(handle: DatabaseSync, salvage: Salvage): Map<string, number> {
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

function mergeRows(handle: DatabaseSync, salvage: Salvage): Map<string, number> {
	const rowsOf = (name: string) => salvage.find(({table}) => table === name)?.rows ?? [];
	const drafts = handle.prepare('SELECT text FROM drafts WHERE session_id = ?');
	const displaced = rowsOf('drafts').filter(({session_id: id = null, text}) => {
		const stored = drafts.get(id);
		return stored && stored.text !== text;
	});
	const history = displaced.map(({session_id, text}) => ({session_id, text}) as (typeof displaced)[number]);
	const counts = addRows(handle, [...salvage, {table: 'history', rows: history}]);
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

/** Moves the files with these suffixes aside, as far as they are there. Returns the path to the file's new place. */
export function moveAside(
	file: string,
	now: number,
	suffixes: readonly string[] = ['', ...sideFiles],
): string {
	const target = `${file}.damaged-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
	for (const suffix of suffixes) {
		try {
			renameSync(file + suffix, target + suffix);
		} catch (error) {
			// Another program may move or remove it at the same time.
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		}
	}
	return target;
}
