import type {DatabaseSync} from 'node:sqlite';
import type {Guard} from './connection.ts';
import {fileIdentity, openFile, openMemory, sideFiles} from './open-file.ts';
import {
	draftTables,
	insertRows,
	moveAside,
	readSalvage,
	readTables,
	registryTables,
	type Salvage,
	typedTables,
} from './salvage.ts';
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
	/** Called after the work that hit the damage was redone. */
	readonly onChange: () => void;
};

const salvagedTables = [...typedTables, ...registryTables];

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
 * file that can't be written, or is a newer program's, is replaced by an in-memory database. Throws `StorageError` only
 * when the process can't open more files.
 */
export function openDatabaseFile({file, now, folderProblem, isForgotten, onChange}: Options) {
	let problem: string | undefined;
	let isUnreadable = false;
	/** Whether it could be read only in part: see `Database`. */
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
		const found = fileIdentity(file);
		try {
			return open();
		} catch (error) {
			const isOtherVersion = error instanceof OtherVersionError;
			if (!isOtherVersion && reasonOf(error) !== 'damaged') throw error;
			// Another program may have set it aside already.
			return fileIdentity(file) === found
				? setAside(isOtherVersion ? otherVersionText : damagedText)
				: open();
		}
	}

	/** `broken`: the handle through which the file is still open. */
	function setAside(what: string, broken?: DatabaseSync): DatabaseSync {
		const inUse = broken && readTables(broken, salvagedTables);
		const moved = moveAside(file, now());
		const salvage = inUse ?? readSalvage(moved, salvagedTables) ?? [];
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
			return openOrSetAside();
		} catch (error) {
			// The file is sound: this process's own limit is no reason to run without it.
			if (reasonOf(error) === 'too-many-files') throw toStorageError(error);
			// Leave the outbox in the file: the next program that can write would send messages sent from memory
			// again.
			const salvage = readSalvage(file, [...draftTables, ...registryTables]);
			isUnreadable = salvage === undefined;
			isPartial = !isUnreadable;
			return openInMemory(salvage ?? [], folderProblem ?? unusableText(error));
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
