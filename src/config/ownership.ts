import {existsSync, type Stats, statSync} from 'node:fs';
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

/** Refuses the folder of a file in the same way: its owner can replace the file. */
export function refuseForeignParent(file: string): void {
	const folder = dirname(file);
	if (existsSync(folder)) refuseForeign(folder, statSync(folder));
}
