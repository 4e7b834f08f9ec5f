import {createHash, randomBytes} from 'node:crypto';
import {
	type BigIntStats,
	chmodSync,
	chownSync,
	existsSync,
	lstatSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	renameSync,
	rmSync,
	type Stats,
	statSync,
	unlinkSync,
	writeFileSync,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {makeFolder} from '../../hooks/runtime-folder.ts';
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
	const bytes = readFileSync(file);
	try {
		return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
	} catch (cause) {
		throw new SettingsFileError(`${file} is not UTF-8 text: save it as UTF-8`, {cause});
	}
}

/** The path, or a folder of it, that is a link to nothing: what it led to isn't ours to create. */
function brokenLink(path: string): string | undefined {
	for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at))
		if (lstatSync(at, {throwIfNoEntry: false})?.isSymbolicLink()) return at;
	return undefined;
}

const maxBackups = 5;

/** Where backups go, and the current time (Unix ms). `folder` is absolute. `isInstall`: can be undone byte for byte. */
type BackupOptions = {readonly folder: string; readonly now: number; readonly isInstall: boolean};

/** The texts before and after an install; without `before`, the file didn't exist. */
type InstallRecord = {readonly before?: string; readonly after: string};

/**
 * Replaces a settings file atomically, or deletes it when there is no text. Keeps links, mode and owner.
 * Returns the backup's path, if the file existed. Throws `SettingsFileError` if the file may not be changed
 * or has changed since it was read.
 */
export function writeSettingsFile(
	{file, text}: ReadSettings,
	after: string | undefined,
	backups: BackupOptions,
): string | undefined {
	const stats = statSync(file, {throwIfNoEntry: false});
	if (stats) checkWritable(file, stats);
	const backup = text === undefined ? undefined : writeBackup(file, text, backups);
	try {
		if (after !== undefined && backups.isInstall) writeRecord({file, text}, after, backups.folder);
		if (after === undefined) {
			checkUnchanged({file, text});
			unlinkSync(file);
		} else replaceFile({file, text}, after, stats);
		return backup;
	} catch (cause) {
		if (cause instanceof SettingsFileError) throw cause;
		const {code} = cause as NodeJS.ErrnoException;
		throw new SettingsFileError(
			`${file} can't be written (${code}): check its folder's permissions and the disk`,
			{
				cause,
			},
		);
	}
}

function replaceFile(read: ReadSettings, after: string, stats: Stats | undefined): void {
	const {file} = read;
	const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}`);
	makeFolder(dirname(file));
	try {
		// Private until it gets the mode of the file it replaces; a new file gets the user's default mode.
		writeWhole(temporary, after, stats ? 0o600 : 0o666);
		if (stats) {
			chownSync(temporary, stats.uid, stats.gid);
			chmodSync(temporary, stats.mode & 0o7777);
		}
		checkUnchanged(read);
		renameSync(temporary, file);
	} catch (error) {
		rmSync(temporary, {force: true});
		throw error;
	}
}

/** Root can write any file, but a mode without write bits was set on purpose. */
function checkWritable(file: string, {mode, nlink}: Stats): void {
	if ((mode & 0o222) === 0)
		throw new SettingsFileError(`${file} is read-only: make it writable, or change its source`);
	if (nlink > 1)
		throw new SettingsFileError(
			`${file} has ${nlink} hard links, and only one would change: keep one of them`,
		);
}

function checkUnchanged({file, text}: ReadSettings): void {
	if (readSettingsFile(file).text === text) return;
	throw new SettingsFileError(`another program just changed ${file}: run this again`);
}

/** What an install found; undefined if the file has changed since. Byte for byte, unlike a removal of our entries. */
export function readInstalled(
	{file, text}: ReadSettings,
	folder: string,
): {readonly before?: string} | undefined {
	try {
		const record = JSON.parse(readFileSync(recordFile(file, folder), 'utf8')) as InstallRecord;
		return record.after === text ? record : undefined;
	} catch {
		return undefined;
	}
}

/** An install over an unchanged one can still be undone to what was there before the first. */
function writeRecord(read: ReadSettings, after: string, folder: string): void {
	const before = (readInstalled(read, folder) ?? {before: read.text}).before;
	const record: InstallRecord = {after, before};
	makeFolder(folder, 0o700);
	const file = recordFile(read.file, folder);
	rmSync(file, {force: true});
	writeWhole(file, JSON.stringify(record), 0o600);
}

function recordFile(file: string, folder: string): string {
	return join(folder, `installed${suffixOf(file)}`);
}

/** Many files share a name: the hash of the path tells them apart. */
function suffixOf(file: string): string {
	return `-${createHash('sha256').update(file).digest('hex').slice(0, 8)}-${basename(file)}`;
}

/**
 * Backs up a settings file's text with owner-only access, as it may hold keys, and keeps the five newest
 * backups of each file. Returns the backup's path. Throws `SettingsFileError` on failure, so that nothing is
 * changed without a backup.
 */
function writeBackup(file: string, text: string, {folder, now}: BackupOptions): string {
	const suffix = suffixOf(file);
	const time = new Date(now).toISOString().replaceAll(':', '-');
	const backup = join(folder, `${time}${suffix}`);
	try {
		makeFolder(folder, 0o700);
		writeWhole(backup, text, 0o600);
		const all = readdirSync(folder).filter(name => name.endsWith(suffix) && !name.startsWith('installed'));
		for (const name of all.sort().slice(0, -maxBackups)) unlinkSync(join(folder, name));
		return backup;
	} catch (cause) {
		const {code} = cause as NodeJS.ErrnoException;
		throw new SettingsFileError(`a backup can't be written to ${folder} (${code}): nothing was changed`, {
			cause,
		});
	}
}

/** Writes a new file and syncs it to disk before returning. */
function writeWhole(file: string, text: string, mode: number): void {
	writeFileSync(file, text, {flag: 'wx', mode, flush: true});
}
