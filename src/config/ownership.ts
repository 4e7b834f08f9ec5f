import {accessSync, chmodSync, constants, existsSync, realpathSync, type Stats, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {makeFolder} from '../../hooks/runtime-folder.ts';
import {ConfigSourceError} from './config.ts';

/**
 * Refuses what another user owns or can write to: it decides what we run and where we send the key. Root may own it.
 * Throws `ConfigSourceError`. `name` is for its message.
 */
export function refuseForeign(name: string, {uid, mode}: Stats, user = process.getuid?.()): void {
	if (uid !== user && uid !== 0)
		throw new ConfigSourceError(`${name} belongs to another user: use one of your own`);
	if ((mode & 0o022) !== 0)
		throw new ConfigSourceError(`${name} can be changed by others: run chmod go-w on it`);
}

/**
 * Refuses the folder of a file in the same way, and the one that it is in once all links are followed: its owner can
 * replace the file.
 */
export function refuseForeignParent(file: string): void {
	if (!existsSync(dirname(file))) return;
	const folder = existsSync(file) ? dirname(realpathSync(file)) : realpathSync(dirname(file));
	for (const each of [dirname(file), folder]) refuseForeign(each, statSync(each));
	refuseReplaceable(folder);
}

/** Refuses what others could replace, as they can write to a folder above it, which only a sticky one prevents. */
function refuseReplaceable(path: string): void {
	const above = dirname(path);
	if (above === path) return;
	const {mode} = statSync(above);
	if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
		throw new ConfigSourceError(`${above} can be changed by others: run chmod o-w on it`);
	refuseReplaceable(above);
}

/**
 * Creates the state folder, unless the caller only reads, and makes it private to its owner. Returns a one-line problem
 * if nothing can be saved there; callers then work in memory.
 */
export function prepareStateFolder(folder: string, onlyReads = false): string | undefined {
	try {
		if (onlyReads && !statSync(folder, {throwIfNoEntry: false})) return undefined;
		makeFolder(folder, 0o700);
		const {mode, uid} = statSync(folder);
		if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(folder, 0o700);
		accessSync(folder, constants.W_OK | constants.X_OK);
		return undefined;
	} catch (error) {
		const {code = ''} = error as NodeJS.ErrnoException;
		const why = reasons[code] ?? "it can't be created or changed";
		return `can't write to ${folder} (${why}): nothing is saved; make it writable or set XDG_STATE_HOME`;
	}
}

/**
 * Refuses a state folder owned by another user even if it is writable: the owner could replace our files. Root's
 * folders are allowed unless others can write there, and root may use anyone's. One that others could replace is
 * refused, too. Throws `ConfigSourceError`.
 */
export function refuseForeignFolder(folder: string, user = process.getuid?.()): void {
	const found = statOf(folder);
	if (found === undefined) return;
	refuseReplaceable(realpathSync(folder));
	if (user === 0 || found.uid === user) return;
	if (found.uid === 0 && (found.mode & 0o022) === 0) return;
	throw new ConfigSourceError(`${folder} belongs to another user: set XDG_STATE_HOME to a folder of yours`);
}

function statOf(folder: string): Stats | undefined {
	try {
		return statSync(folder);
	} catch {
		// Missing or inaccessible: creating it reports why.
		return undefined;
	}
}

const reasons: Readonly<Record<string, string>> = {
	EACCES: 'permission denied',
	EPERM: 'permission denied',
	EROFS: 'read-only disk',
	ENOSPC: 'disk full',
	ENOTDIR: 'a file is in the way',
	EEXIST: 'a file is in the way',
};
