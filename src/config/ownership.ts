import {existsSync, realpathSync, type Stats, statSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
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
 * replace the file. So can whoever can write to a folder above, which only a sticky one prevents.
 */
export function refuseForeignParent(file: string): void {
	if (!existsSync(dirname(file))) return;
	const real = existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
	for (const folder of [dirname(file), dirname(real)]) refuseForeign(folder, statSync(folder));
	for (let folder = dirname(dirname(real)); ; folder = dirname(folder)) {
		const {mode} = statSync(folder);
		if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
			throw new ConfigSourceError(`${folder} can be changed by others: run chmod o-w on it`);
		if (dirname(folder) === folder) return;
	}
}
