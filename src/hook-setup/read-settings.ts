import {
	type BigIntStats,
	existsSync,
	lstatSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	statSync,
} from 'node:fs';
import {dirname} from 'node:path';
import {ifPossible} from '../domain/if-possible.ts';

/** A settings file can't be read or changed; nothing was written. The message gives the reason and the remedy. */
export class SettingsFileError extends Error {
	override readonly name = 'SettingsFileError';
}

/** A settings file and its text when it was read. */
export type ReadSettings = {
	/** The file with all links followed. */
	readonly file: string;
	/** Undefined if the file doesn't exist. */
	readonly text: string | undefined;
};

const maxFileSize = 8 * 1024 * 1024;

/** Reads a settings file. Throws `SettingsFileError` if it can't be read, is a link to nothing, isn't text or is too large. */
export function readSettingsFile(path: string): ReadSettings {
	const file = ifPossible(() => realpathSync(path)) ?? path;
	try {
		const link = brokenLink(path);
		if (link !== undefined)
			throw new SettingsFileError(
				`${link} is a link to ${readlinkSync(link)}, which is missing: restore that, or remove the link`,
			);
		const found = statSync(file, {throwIfNoEntry: false, bigint: true});
		if (!found) return {file, text: undefined};
		return {file, text: readText(file, found)};
	} catch (cause) {
		if (cause instanceof SettingsFileError) throw cause;
		const {code} = cause as NodeJS.ErrnoException;
		// Part of the path is a file, so the settings file can't exist.
		if (code === 'ENOTDIR') return {file, text: undefined};
		throw new SettingsFileError(`${file} can't be read (${code}): check its permissions and its folder's`, {
			cause,
		});
	}
}

function readText(file: string, found: BigIntStats): string {
	if (!found.isFile()) throw new SettingsFileError(`${file} is not a file: name the file itself`);
	if (found.size > maxFileSize) throw new SettingsFileError(`${file} is over 8 MiB: too large for settings`);
	try {
		return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(readFileSync(file));
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code?.startsWith('E') && !(cause instanceof TypeError)) throw cause;
		throw new SettingsFileError(`${file} is not UTF-8 text: save it as UTF-8`, {cause});
	}
}

/** The path, or a folder of it, that is a link to nothing: what it led to isn't ours to create. */
function brokenLink(path: string): string | undefined {
	for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at))
		if (lstatSync(at, {throwIfNoEntry: false})?.isSymbolicLink()) return at;
	return undefined;
}
