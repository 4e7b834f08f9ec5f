import {renameSync} from 'node:fs';
import {DatabaseSync, type SQLInputValue} from 'node:sqlite';
import type {Guard} from './connection.ts';
import {fileIdentity, isMissing, openFile, openMemory, requireRegularFiles, sideFiles} from './open-file.ts';
import {
	adviceFor,
	FileLostError,
	OtherVersionError,
	reasonOf,
	toStorageError,
	toWriteError,
} from './storage-error.ts';

type Options = {
	readonly file: string;
	readonly now: () => number;
	/** Why nothing can be saved in the file's folder, if known. */
	readonly folderProblem: string | undefined;
	/** Whether the user had the file's contents deleted for good: it is neither created nor recovered. */
	readonly isForgotten: () => boolean;
	/** The file is not created. */
	readonly onlyReads: boolean;
	/** Called after the work that hit the damage was redone. */
	readonly onChange: () => void;
};

/**
 * Tables with data the service can't send again, most precious first: typed text, then ids that no endpoint
 * lists, then sent texts. Messages and events are left out: the service and the agents can send them again.
 */
const draftTables = ['draft_attachments', 'drafts'] as const;
const registryTables = [
	'accounts',
	'account_openers',
	'sessions',
	'computers',
	'settings',
	'history',
	'attention',
	'computer_attention',
] as const;
const salvagedTables = ['outbox_contents', 'outbox', ...draftTables, ...registryTables];

const damagedText = 'Saved data was damaged';
const otherVersionText = 'Saved data is of another version of Quarterdeck';
/** The start of the line survives truncation, so the long file name comes last. */
const lossTexts: Record<FileLostError['loss'], string> = {
	removed: 'Saved data was removed while Quarterdeck was running. A new file was created:',
	replaced: 'Saved data was replaced while Quarterdeck was running. The new file is used now:',
};
const forgottenText =
	'This account was forgotten: nothing will be saved or sent. To start over, quit and open Quarterdeck again.';

/**
 * Opens one database file. A damaged, lost or replaced file is replaced by a sound one that keeps what the user typed; a
 * file that can't be written, or is a newer program's, is replaced by an in-memory database.
 */
export function openDatabaseFile({file, now, folderProblem, isForgotten, onlyReads, onChange}: Options) {
	let problem: string | undefined;
	/** Whether it could be read at most in part: see `Database`. */
	let isPartial = false;
	let repairs: string[] = [];
	/** The open file and its log; undefined in memory. */
	let identity: {readonly main: string | undefined; readonly log: string | undefined} | undefined;

	function open(): DatabaseSync {
		const handle = openFile(file);
		identity = {main: fileIdentity(file), log: fileIdentity(`${file}-wal`)};
		return handle;
	}

	function openInMemory(salvage: Salvage, why: string): DatabaseSync {
		const handle = openMemory();
		insertRows(handle, salvage);
		problem = why;
		identity = undefined;
		return handle;
	}

	function openOrSetAside(): DatabaseSync {
		try {
			return open();
		} catch (error) {
			const isOtherVersion = error instanceof OtherVersionError;
			if (!isOtherVersion && reasonOf(error) !== 'damaged') throw error;
			return setAside(isOtherVersion ? otherVersionText : damagedText);
		}
	}

	/** `broken`: the handle through which the file is still open. */
	function setAside(what: string, broken?: DatabaseSync): DatabaseSync {
		const inUse = broken && readTables(broken, salvagedTables);
		const moved = moveAside(file, now());
		const salvage = inUse ?? readSalvage(moved, salvagedTables);
		return replaceBy(open, salvage, `${what} and is now in ${moved}. `);
	}

	/** Opens another file and copies the rows into it. Throws when another program has it locked. */
	function replaceBy(openNext: () => DatabaseSync, salvage: Salvage, what: string): DatabaseSync {
		let handle: DatabaseSync | undefined;
		try {
			handle = openNext();
			repairs.push(`${what}Recovered: ${countText(insertRows(handle, salvage))}.`);
			return handle;
		} catch (error) {
			handle?.close();
			// In memory, it would send messages that the other program sends, too.
			if (reasonOf(error) === 'busy') throw error;
			repairs.push(what.trim());
			return openInMemory(salvage, unusableText(error));
		}
	}

	function openFirst(): DatabaseSync {
		if (isForgotten()) return openInMemory([], forgottenText);
		try {
			return onlyReads && isMissing(file) ? openMemory() : openOrSetAside();
		} catch (error) {
			// Leave the outbox in the file: the next program that can write would send messages sent from memory
			// again.
			const salvage = readSalvage(file, [...draftTables, ...registryTables]);
			isPartial = true;
			return openInMemory(salvage, folderProblem ?? unusableText(error));
		}
	}

	function unusableText(error: unknown): string {
		const reason = reasonOf(error);
		const what = reason === 'not-a-file' ? '' : `${file} can't be used, `;
		return `${what}nothing will be saved after this run: ${adviceFor(reason, error)}`;
	}

	function lossNow(): FileLostError['loss'] | undefined {
		if (!identity) return undefined;
		try {
			const found = fileIdentity(file);
			if (found === undefined) return 'removed';
			return found === identity.main ? undefined : 'replaced';
		} catch {
			// The path can't be checked any more: keep using the open file.
			return undefined;
		}
	}

	/** Replaces a file in use, which may be readable only through its open handle. */
	function replaceOpen(broken: DatabaseSync): DatabaseSync {
		const loss = lossNow();
		if (!loss) return setAside(damagedText, broken);
		const salvage = readTables(broken, salvagedTables);
		// sqlite would take a log that was left for the new file's.
		const log = fileIdentity(`${file}-wal`);
		if (loss === 'removed' || (log && log === identity?.log)) moveAside(file, now(), sideFiles);
		return replaceBy(openOrSetAside, salvage, `${lossTexts[loss]} ${file}. `);
	}

	return {
		handle: openFirst(),
		guard: {
			check() {
				const loss = lossNow();
				if (loss) throw new FileLostError(loss);
			},
			recover(broken, error) {
				if (!broken.isOpen || reasonOf(error) !== 'damaged') return undefined;
				const before = identity;
				try {
					const next = isForgotten() ? openInMemory([], forgottenText) : replaceOpen(broken);
					broken.close();
					return next;
				} catch (cause) {
					identity = before;
					throw toStorageError(cause);
				}
			},
			explain: error => toWriteError(error, file),
			recovered: onChange,
		} satisfies Guard,
		get problem(): string | undefined {
			return problem;
		},
		get isPartial(): boolean {
			return isPartial;
		},
		/** Returns the repairs made since the last call. */
		takeRepairs(): string[] {
			const newRepairs = repairs;
			repairs = [];
			return newRepairs;
		},
	};
}

function countText(counts: ReadonlyMap<string, number>): string {
	const words = [
		['accounts', 'account'],
		['outbox', 'message of the outbox', 'messages of the outbox'],
		['drafts', 'draft'],
		['sessions', 'session'],
		['computers', 'computer'],
	].flatMap(([table = '', one = '', many = `${one}s`]) => {
		const count = counts.get(table) ?? 0;
		return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
	});
	return words.length === 0 ? 'nothing' : words.join(', ');
}

/** The rows of some tables, as far as they could be read. */
type Salvage = {readonly table: string; readonly rows: readonly Record<string, SQLInputValue>[]}[];

/** How long to wait for a file that another process has locked, ms. */
const salvageTimeout = 100;

/** Reads as much as possible of `tables` from a file that may be damaged anywhere. Never throws. */
function readSalvage(file: string, tables: readonly string[]): Salvage {
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
		return [];
	}
}

function readTables(handle: DatabaseSync, tables: readonly string[]): Salvage {
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

/**
 * Inserts salvaged rows into a file that may have its own, which win, except over a message that was sent. Skips misfits;
 * returns counts by table.
 */
function insertRows(handle: DatabaseSync, salvage: Salvage): Map<string, number> {
	const counts = new Map<string, number>();
	handle.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
	for (const {table, rows} of salvage) {
		// Let sqlite assign a new sequence number: the file may already use this one.
		for (const {sequence: _, ...row} of rows) {
			const columns = Object.keys(row);
			try {
				// An older copy would send it again.
				if (table === 'outbox' && row.state !== 'queued' && row.state !== 'failed')
					handle.prepare("DELETE FROM outbox WHERE id = ? AND state = 'queued'").run(row.id ?? null);
				const {changes} = handle
					.prepare(
						`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
					)
					.run(...Object.values(row));
				counts.set(table, (counts.get(table) ?? 0) + Number(changes));
			} catch {}
		}
	}
	handle.exec('COMMIT; PRAGMA synchronous = NORMAL');
	return counts;
}

/** Moves the files with these suffixes aside, as far as they are there. Returns the path to the file's new place. */
function moveAside(file: string, now: number, suffixes: readonly string[] = ['', ...sideFiles]): string {
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
