import {existsSync, realpathSync, type Stats, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {ConfigSourceError} from './config-error.ts';

/**
 * Refuses what another user owns or can write to: it decides what we run and where we send the key. Root may own it.
 * Throws `ConfigSourceError`. `name` is for its message.
 */
export function refuseForeign(name: string, {uid, mode}: Stats, user = process.getuid?.()): void {
	if (user === undefined) return;
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
	if (process.getuid === undefined || !existsSync(dirname(file))) return;
	const folder = existsSync(file) ? dirname(realpathSync(file)) : realpathSync(dirname(file));
	for (const each of [dirname(file), folder]) refuseForeign(each, statSync(each));
	refuseReplaceable(folder);
}

/** Refuses what others could replace, as they can write to a folder above it, which only a sticky one prevents. */
export function refuseReplaceable(path: string): void {
	const above = dirname(path);
	if (above === path) return;
	const {mode} = statSync(above);
	if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
		throw new ConfigSourceError(`${above} can be changed by others: run chmod o-w on it`);
	refuseReplaceable(above);
}
