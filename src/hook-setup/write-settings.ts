import {randomBytes} from 'node:crypto';
import {chmodSync, chownSync, renameSync, type Stats, statSync, unlinkSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {makeFolder} from '../../hooks/make-folder.ts';
import {type BackupOptions, writeBackup, writeWhole} from './backups.ts';
import {type ReadSettings, readSettingsFile} from './read-settings.ts';
import {SettingsFileError} from './settings-error.ts';

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
	const found = statSync(file, {throwIfNoEntry: false});
	if (found) checkWritable(file, found);
	const backup = text === undefined ? undefined : writeBackup(file, text, backups);
	try {
		if (after === undefined) {
			checkUnchanged({file, text});
			unlinkSync(file);
		} else replace({file, text}, after, found);
		return backup;
	} catch (cause) {
		if (cause instanceof SettingsFileError) throw cause;
		const {code} = cause as NodeJS.ErrnoException;
		throw new SettingsFileError(`${file} can't be written (${code}): check its folder's mode and the disk`, {
			cause,
		});
	}
}

function replace(read: ReadSettings, after: string, found: Stats | undefined): void {
	const {file} = read;
	const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}`);
	makeFolder(dirname(file));
	try {
		// Private until it gets the mode of the file it replaces; a new file gets the user's default mode.
		writeWhole(temporary, after, found ? 0o600 : 0o666);
		if (found) {
			chownSync(temporary, found.uid, found.gid);
			chmodSync(temporary, found.mode & 0o7777);
		}
		checkUnchanged(read);
		renameSync(temporary, file);
	} catch (error) {
		try {
			unlinkSync(temporary);
		} catch {
			// The temporary file was never created.
		}
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
