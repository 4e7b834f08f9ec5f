import {rmSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';
import type {Guard} from './connection.ts';
import {
	contentIdentity,
	FileLostError,
	fileIdentity,
	isEmptied,
	type Loss,
	type OpenFiles,
	watchIdentity,
} from './file-identity.ts';
import {isMapStale, openFile, openMemory, removeStaleMap, versionOf} from './open-file.ts';
import {canLock, withoutWriters, withRepairLock} from './repair-lock.ts';
import {
	draftTables,
	isReadable,
	mergeSalvage,
	moveAside,
	readMoved,
	readSalvage,
	readTables,
	registryTables,
	type Salvage,
	typedTables,
} from './salvage.ts';
import {schemaVersion} from './schema.ts';
import {
	adviceFor,
	LocksError,
	OtherVersionError,
	reasonOf,
	SchemaError,
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
	/** Called after the work that hit the damage was redone, and when `problem` changes at run time. */
	readonly onChange: () => void;
};

/** Rows of a lost file, and the file's identity if other programs may merge the same rows. */
type Source = {readonly salvage: Salvage; readonly from?: string | undefined};

/** How often a repair tries to open a file that other programs keep locked. */
const maxAttempts = 10;
const salvagedTables = [...typedTables, ...registryTables];

/** The start of the line survives truncation, so the long file name comes last. */
const lossTexts: Record<Loss, string> = {
	removed: 'Saved data was removed while Quarterdeck was running. A new file was created:',
	replaced: 'Saved data was replaced while Quarterdeck was running. The new file is used now:',
	emptied: 'Saved data was emptied while Quarterdeck was running. A new file was created:',
	log: 'Saved data lost its write-ahead log while Quarterdeck was running. A new file was created:',
};

const damagedText = 'Saved data was damaged';
const otherVersionText = 'Saved data is of another version of Quarterdeck';

const forgottenText =
	'This account was forgotten: nothing will be saved or sent. To start over, quit and open Quarterdeck again.';

/**
 * Opens one database file and monitors it. A damaged, lost or replaced file is replaced by a sound one that
 * keeps what the user typed; a file that can't be written, or is a newer program's, is replaced by an in-memory database.
 * Throws `StorageError` only when the process can't open more files.
 */
export function openDatabaseFile({file, now, folderProblem, isForgotten, onChange}: Options) {
	/** Why nothing is saved. */
	let problem: string | undefined;
	/** Whether the file couldn't even be read. */
	let isUnreadable = false;
	/** Whether it could be read only in part: see `Database`. */
	let isPartial = false;
	let repairs: string[] = [];
	/** Whether `problem` was found at run time and not reported yet. */
	let isProblemNew = false;
	const unwatched: Pick<OpenFiles, 'remaining' | 'check'> & Partial<OpenFiles> = {
		remaining: () => [],
		check: () => undefined,
	};
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

	function openInMemory(sources: readonly Source[], why: string): DatabaseSync {
		const handle = openMemory();
		for (const {salvage} of sources) mergeSalvage(handle, salvage);
		problem = why;
		files = unwatched;
		return handle;
	}

	function openOrRepair(): DatabaseSync {
		if (isMapStale(file)) withRepairLock(file, () => removeStaleMap(file));
		const found = fileIdentity(file);
		if (isEmptied(file)) return repair(found);
		try {
			return open();
		} catch (error) {
			if (error instanceof OtherVersionError) return repair(found, otherVersionText);
			if (reasonOf(error) === 'damaged') return repair(found);
			throw error;
		}
	}

	function openIntact(): DatabaseSync {
		if (isForgotten()) return openInMemory([], forgottenText);
		try {
			const handle = openOrRepair();
			if (!isForgotten()) return handle;
			// It was forgotten just now, and this file may be a new one in its place.
			handle.close();
			for (const suffix of ['-wal', '-shm', '']) rmSync(file + suffix, {force: true});
			return openInMemory([], forgottenText);
		} catch (error) {
			const reason = reasonOf(error);
			// The file is sound: this process's own limit is no reason to run without it.
			if (reason === 'too-many-files') throw toStorageError(error);
			isUnreadable = !isReadable(file);
			const why = reason === 'busy' && !canLock(file) ? new LocksError() : error;
			// Leave the outbox in the file: the next program that can write would send messages sent from memory
			// again.
			isPartial = !isUnreadable;
			const sources = isUnreadable ? [] : [{salvage: readSalvage(file, [...draftTables, ...registryTables])}];
			return openInMemory(sources, folderProblem ?? unusableText(why));
		}
	}

	function unusableText(error: unknown): string {
		const reason = reasonOf(error);
		const what = reason === 'not-a-file' ? '' : `${file} can't be used, `;
		return `${what}nothing will be saved after this run: ${adviceFor(reason, error)}`;
	}

	/** Repairs the file before it is used. `damaged` identifies it: another program may have repaired it already. */
	function repair(damaged: string | undefined, what = damagedText): DatabaseSync {
		return withRepairLock(file, () =>
			fileIdentity(file) === damaged ? replaceDamaged(contentIdentity(file), what) : openAndMerge([]),
		);
	}

	/**
	 * Replaces a file in use. The `broken` handle stays open until the new file is sound: it may be the only one
	 * that can still read the old file. Throws `StorageError` if other programs are in the way for too long; the
	 * next write tries again.
	 */
	function recover(broken: DatabaseSync, isLost: boolean): DatabaseSync {
		if (isForgotten()) {
			broken.close();
			return openInMemory([], forgottenText);
		}
		const previousFiles = files;
		try {
			return withRepairLock(file, () => {
				const isReplaced = isLost || lossOf(files.check) !== undefined;
				const next = isReplaced ? replaceLost(broken) : replaceDamaged(files.content, damagedText, broken);
				// Not before: at its last close, sqlite deletes the log at the path if the file is still there.
				if (broken.isOpen) broken.close();
				return next;
			});
		} catch (error) {
			files = previousFiles;
			throw toStorageError(error);
		}
	}

	/** Moves the file aside and creates a new one from the rows that could be read. */
	function replaceDamaged(from: string | undefined, what: string, broken?: DatabaseSync): DatabaseSync {
		let moved: ReturnType<typeof moveAside>;
		try {
			// Move first, so that other programs stop writing to the old file.
			moved = moveAside(file, now());
		} catch {
			return openInMemory(
				[{salvage: readSalvage(file, salvagedTables)}],
				`${file} is damaged and can't be moved aside: nothing will be saved after this run. Move it away by hand.`,
			);
		}
		const salvage = readMoved(moved.target, salvagedTables);
		return openAndMerge([{salvage, from}], `${what} and is now in ${moved.moved}. `, broken);
	}

	/** Replaces a lost file by a new one, even if only its log was lost: others may still use the old log with it. */
	function replaceLost(broken: DatabaseSync): DatabaseSync {
		const sources: Source[] = [];
		const {loss, moved} = withoutWriters(broken, () => {
			// Another program may have put a sound file there while this one waited.
			const loss = lossOf(files.check) ?? 'replaced';
			sources.push({salvage: readTables(broken, salvagedTables), from: files.content});
			return {loss, moved: moveAside(file, now(), files.remaining())};
		});
		// A program that started after the log was lost wrote another one.
		const from = contentIdentity(moved.target);
		if (loss === 'log' && fileIdentity(`${moved.target}-wal`) && from !== files.content) {
			// In one process, sqlite would use the memory map of the old log.
			broken.close();
			sources.push({salvage: readMoved(moved.target, salvagedTables), from});
		}
		return openAndMerge(sources, `${lossTexts[loss]} ${file}. `, broken);
	}

	/**
	 * Opens the file now at the path and merges the rows into it, unless another program has already merged the
	 * rows of a source; that program then reported `what`, too. Throws when other programs keep the file locked
	 * and a `broken` handle can still be read.
	 */
	function openAndMerge(sources: readonly Source[], what?: string, broken?: DatabaseSync): DatabaseSync {
		for (let attempt = 1; ; attempt++) {
			let handle: DatabaseSync | undefined;
			try {
				removeStaleMap(file);
				const opened = open();
				handle = opened;
				const counts = sources.flatMap(({salvage, from}) => mergeSalvage(opened, salvage, from) ?? []);
				if (what && counts.length > 0) repairs.push(`${what}Recovered: ${countText(counts)}.`);
				return handle;
			} catch (error) {
				if (handle?.isOpen) handle.close();
				// Each attempt waits for the programs that are repairing or writing.
				const isBusy = reasonOf(error) === 'busy';
				if (isBusy && attempt < maxAttempts) continue;
				// In memory, it would send messages that the others send, too.
				if (isBusy && broken?.isOpen) throw error;
				if (what) repairs.push(what.trim());
				return openInMemory(sources, unusableText(error));
			}
		}
	}

	function isNewer(handle: DatabaseSync): boolean {
		try {
			return versionOf(handle) > schemaVersion;
		} catch {
			return false;
		}
	}

	return {
		handle: openIntact(),
		guard: {
			check: () => files.check(),
			checkSchema(version) {
				if (version <= schemaVersion) return;
				isProblemNew = problem === undefined;
				problem = `${file} was changed by a newer Quarterdeck (schema ${version}, this one knows ${schemaVersion}): nothing is saved any more. Update Quarterdeck and start it again.`;
				throw new SchemaError(problem);
			},
			recover(broken, error) {
				if (error instanceof FileLostError) return recover(broken, true);
				if (error instanceof SchemaError) {
					if (isProblemNew) onChange();
					isProblemNew = false;
					return undefined;
				}
				if (!broken.isOpen || reasonOf(error) !== 'damaged' || isNewer(broken)) return undefined;
				return recover(broken, false);
			},
			explain: error => toWriteError(error, file),
			recovered: onChange,
		} satisfies Guard,
		get problem(): string | undefined {
			return problem;
		},
		get isUnreadable(): boolean {
			return isUnreadable;
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

function lossOf(check: () => void): Loss | undefined {
	try {
		check();
		return undefined;
	} catch (error) {
		if (error instanceof FileLostError) return error.loss;
		throw error;
	}
}

function countText(counts: readonly ReadonlyMap<string, number>[]): string {
	const words = [
		['accounts', 'account'],
		['outbox', 'message of the outbox', 'messages of the outbox'],
		['drafts', 'draft'],
		['sessions', 'session'],
		['computers', 'computer'],
	].flatMap(([table = '', one = '', many = `${one}s`]) => {
		const count = counts.reduce((sum, each) => sum + (each.get(table) ?? 0), 0);
		return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
	});
	return words.length === 0 ? 'nothing' : words.join(', ');
}
