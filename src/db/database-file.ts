import {rmSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import type {Guard} from './connection.ts';
import {
	FileLostError,
	fileIdentity,
	isEmptied,
	type Loss,
	type OpenFiles,
	sideFiles,
	watchIdentity,
} from './file-identity.ts';
import {migrations} from './migrations.ts';
import {openFile, openMemory, schemaVersion} from './open-file.ts';
import {
	isReadable,
	mergeSalvage,
	moveAside,
	readSalvage,
	readTables,
	registryTables,
	type Salvage,
	typedTables,
	withRepairLock,
} from './salvage.ts';
import {adviceFor, LocksError, reasonOf, SchemaError, toStorageError} from './storage-error.ts';

export type DatabaseFile = {
	readonly first: DatabaseSync;
	readonly guard: Guard;
	/** Why nothing is saved, or why the file is read-only. */
	readonly problem: string | undefined;
	/** The file couldn't even be read. */
	readonly isUnread: boolean;
	/** Returns the repairs made since the last call. */
	takeRepairs(): string[];
};

type Options = {
	readonly file: string;
	readonly now: () => number;
	/** Why nothing can be saved in the file's folder, if known. */
	readonly folderProblem: string | undefined;
	/** Called after the work that hit the damage was redone, and when `problem` changes at run time. */
	readonly onChange: () => void;
};

/** How often a repair tries to open a file that other programs keep locked. */
const maxAttempts = 5;
const salvagedTables = [...typedTables, ...registryTables];

/** The start of the line survives truncation, so the long file name comes last. */
const losses: Record<Loss, string> = {
	removed: 'Saved data was removed while Quarterdeck was running. A new file was created:',
	replaced: 'Saved data was replaced while Quarterdeck was running. The new file is used now:',
	emptied: 'Saved data was emptied while Quarterdeck was running. A new file was created:',
	log: 'Saved data lost its write-ahead log while Quarterdeck was running. The file was opened again:',
};

/**
 * Opens one database file and monitors it. A damaged, lost or replaced file is replaced by a sound one that
 * keeps what the user typed; a file that can't be written is replaced by an in-memory database; a newer
 * program's file is opened read-only. Throws `StorageError` only when the process can't open more files.
 */
export function openDatabaseFile({file, now, folderProblem, onChange}: Options): DatabaseFile {
	let problem: string | undefined;
	let isUnread = false;
	let repairs: string[] = [];
	/** `problem` was found at run time and not reported yet. */
	let isReplaced = false;
	const unwatched: OpenFiles = {main: undefined, log: undefined, check: () => undefined};
	let files = unwatched;

	/** Opens the file at the path; retries if another program replaced it in the meantime. */
	function open(): DatabaseSync {
		for (;;) {
			const opened = openFile(file);
			const watched = watchIdentity(file);
			if (watched.main === opened.identity) {
				problem = opened.problem;
				files = watched;
				return opened.handle;
			}
			opened.handle.close();
		}
	}

	function openInMemory(salvage: Salvage, why: string): DatabaseSync {
		const handle = openMemory();
		mergeSalvage(handle, salvage);
		problem = why;
		files = unwatched;
		return handle;
	}

	function openIntact(): DatabaseSync {
		let found: string | undefined;
		try {
			found = fileIdentity(file);
			if (isEmptied(file)) return repair(found);
			return open();
		} catch (error) {
			const reason = reasonOf(error);
			if (reason === 'damaged') return repair(found);
			// The file is sound: this process's own limit is no reason to run without it.
			if (reason === 'too-many-files') throw toStorageError(error);
			isUnread = !isReadable(file);
			const why = reason === 'busy' && !canLock(file) ? new LocksError() : error;
			// Leave the outbox in the file: the next program that can write would send messages sent from memory
			// again.
			return openInMemory(
				isUnread ? [] : readSalvage(file, ['draft_attachments', 'drafts', 'other_drafts', ...registryTables]),
				folderProblem ?? unusable(why),
			);
		}
	}

	function unusable(error: unknown): string {
		const reason = reasonOf(error);
		const what = reason === 'not-a-file' ? '' : `${file} can't be used, `;
		return `${what}nothing will be saved after this run: ${adviceFor(reason, error)}`;
	}

	/**
	 * Moves the file aside and creates a new one from the rows that could be read. `damaged` identifies the
	 * file to repair, since another program may have repaired it already.
	 */
	function repair(damaged: string | undefined): DatabaseSync {
		return withRepairLock(file, () => {
			// Another program has repaired it already.
			if (fileIdentity(file) !== damaged) return fill([]);
			let aside: ReturnType<typeof moveAside>;
			try {
				// Move first, so that other programs stop writing to the old file.
				aside = moveAside(file, now());
			} catch {
				return openInMemory(
					readSalvage(file, salvagedTables),
					`${file} is damaged and can't be moved aside: nothing will be saved after this run. Move it away by hand.`,
				);
			}
			const salvage = readSalvage(aside.target, salvagedTables);
			return fill(salvage, `Saved data was damaged and is now in ${aside.moved}. `, damaged);
		});
	}

	/**
	 * Opens the file now at the path and merges the rows into it, unless another program has already merged the
	 * rows of `from`; that program then reported `what`, too.
	 */
	function fill(salvage: Salvage, what?: string, from?: string): DatabaseSync {
		for (let attempt = 1; ; attempt++) {
			let handle: DatabaseSync | undefined;
			try {
				handle = open();
				const counts = mergeSalvage(handle, salvage, from);
				if (what && counts) repairs.push(`${what}Recovered: ${countText(counts)}.`);
				return handle;
			} catch (error) {
				if (handle?.isOpen) handle.close();
				// Each attempt waits for the programs that are repairing or writing.
				if (reasonOf(error) === 'busy' && attempt < maxAttempts) continue;
				if (what) repairs.push(what.trim());
				return openInMemory(salvage, unusable(error));
			}
		}
	}

	/** Replaces a lost file. The `broken` handle can still read the file that is no longer at the path. */
	function replace(broken: DatabaseSync): DatabaseSync {
		return withRepairLock(file, () => {
			// Another program may have put a sound file there while this one waited.
			const loss = lossOf(files.check) ?? 'replaced';
			const from = loss === 'log' ? files.log : files.main;
			const salvage = readTables(broken, salvagedTables);
			const log = fileIdentity(`${file}-wal`);
			if (loss === 'emptied') moveAside(file, now());
			// sqlite would mix the lost file's log or memory map with the new file.
			else if (files.log && (log === files.log || !log)) moveAside(file, now(), sideFiles);
			broken.close();
			return fill(salvage, `${losses[loss]} ${file}. `, from);
		});
	}

	function isNewer(handle: DatabaseSync): boolean {
		try {
			return schemaVersion(handle) > migrations.length;
		} catch {
			return false;
		}
	}

	return {
		first: openIntact(),
		guard: {
			check: () => files.check(),
			checkSchema(version) {
				if (version <= migrations.length) return;
				isReplaced = problem === undefined;
				problem = `${file} was changed by a newer Quarterdeck (schema ${version}, this one knows ${migrations.length}): nothing is saved any more. Update Quarterdeck and start it again.`;
				throw new SchemaError(problem);
			},
			recover(broken, error) {
				if (error instanceof FileLostError) return replace(broken);
				if (error instanceof SchemaError) {
					if (isReplaced) onChange();
					isReplaced = false;
					return undefined;
				}
				if (!broken.isOpen || reasonOf(error) !== 'damaged' || isNewer(broken)) return undefined;
				// Another program may have put a sound file there already.
				if (lossOf(files.check)) return replace(broken);
				const damaged = fileIdentity(file);
				broken.close();
				return repair(damaged);
			},
			recovered: onChange,
		},
		get problem() {
			return problem;
		},
		get isUnread() {
			return isUnread;
		},
		takeRepairs() {
			const taken = repairs;
			repairs = [];
			return taken;
		},
	};
}

/**
 * sqlite also reports "busy" when a file system can't lock: a new file that nobody else uses tells the two
 * apart.
 */
function canLock(file: string): boolean {
	const trial = `${file}.lock-test`;
	try {
		const handle = new DatabaseSync(trial, {timeout: 0});
		try {
			handle.exec('BEGIN EXCLUSIVE');
		} finally {
			handle.close();
		}
		return true;
	} catch (error) {
		return reasonOf(error) !== 'busy' && reasonOf(error) !== 'no-locks';
	} finally {
		rmSync(trial, {force: true});
	}
}

function lossOf(check: () => void): Loss | undefined {
	try {
		check();
		return undefined;
	} catch (error) {
		if (error instanceof FileLostError) return error.loss;
		throw error;
	}
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
