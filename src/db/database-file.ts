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
	/** Why nothing is saved, or the file is only read. */
	readonly problem: string | undefined;
	/** Not even reading it worked. */
	readonly isUnread: boolean;
	/** What was repaired and has not been taken yet. */
	takeRepairs(): string[];
};

type Options = {
	readonly file: string;
	readonly now: () => number;
	/** Why nothing can be saved in its folder, where that is known. */
	readonly folderProblem: string | undefined;
	/** Called after the work that met damage was done again, and when `problem` changes while running. */
	readonly onChange: () => void;
};

/** How often a repair tries to open a file that other programs keep busy. */
const maxAttempts = 5;
const salvagedTables = [...typedTables, ...registryTables];

/** What comes first is read where the line is cut off: the file's long name comes last. */
const losses: Record<Loss, string> = {
	removed: 'Saved data was removed while Quarterdeck was running. A new file was created:',
	replaced: 'Saved data was replaced while Quarterdeck was running. The new file is used now:',
	emptied: 'Saved data was emptied while Quarterdeck was running. A new file was created:',
	log: 'Saved data lost its write-ahead log while Quarterdeck was running. The file was opened again:',
};

/**
 * Opens one database file and watches over it: a damaged, lost or replaced file is answered with a sound one that has
 * what the user typed; one that can't be written is replaced by memory; one of a newer program is only read. Raises
 * `StorageError` only where the process has no room for more open files.
 */
export function openDatabaseFile({file, now, folderProblem, onChange}: Options): DatabaseFile {
	let problem: string | undefined;
	let isUnread = false;
	let repairs: string[] = [];
	/** `problem` was found while running and nobody was told. */
	let isReplaced = false;
	const unwatched: OpenFiles = {main: undefined, log: undefined, check: () => undefined};
	let files = unwatched;

	/** Opens the file at the path, again when another program put a new one there meanwhile. */
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
			// The file is sound: a limit of this process is no reason to go on without it.
			if (reason === 'too-many-files') throw toStorageError(error);
			isUnread = !isReadable(file);
			const why = reason === 'busy' && !canLock(file) ? new LocksError() : error;
			// The outbox is left where it is: what is sent from memory would be sent again by the next program that can write.
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
	 * Moves the file away and makes a new one with what could be read. `damaged` is the file that is meant: another
	 * program may have repaired it meanwhile.
	 */
	function repair(damaged: string | undefined): DatabaseSync {
		return withRepairLock(file, () => {
			// Another program has repaired it meanwhile.
			if (fileIdentity(file) !== damaged) return fill([]);
			let aside: ReturnType<typeof moveAside>;
			try {
				// Moved first: what other programs write after this is no longer written to the old file.
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
	 * Opens what is at the path now and adds the rows to it, unless another program has added those of `from` before.
	 * That program also told `what` happened.
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
				// Each attempt waits for the other programs, which are repairing and writing.
				if (reasonOf(error) === 'busy' && attempt < maxAttempts) continue;
				if (what) repairs.push(what.trim());
				return openInMemory(salvage, unusable(error));
			}
		}
	}

	/** The handle still reads the file that is no longer at the path. */
	function replace(broken: DatabaseSync): DatabaseSync {
		return withRepairLock(file, () => {
			// Another program may have put a sound file there while this one waited.
			const loss = lossOf(files.check) ?? 'replaced';
			const from = loss === 'log' ? files.log : files.main;
			const salvage = readTables(broken, salvagedTables);
			const log = fileIdentity(`${file}-wal`);
			if (loss === 'emptied') moveAside(file, now());
			// A log or memory map of the lost file would be mixed with the new one.
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

/** sqlite says "busy" of a file system that can't lock as well: a new file that nobody else uses tells the two apart. */
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
