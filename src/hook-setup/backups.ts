import {createHash} from 'node:crypto';
import {closeSync, fsyncSync, openSync, readdirSync, unlinkSync, writeSync} from 'node:fs';
import {basename, join} from 'node:path';
import {makeFolder} from '../../hooks/make-folder.ts';
import {SettingsFileError} from './settings-error.ts';

const maxBackups = 5;

/** Where backups go, and the current time (Unix ms). `folder` is absolute. */
export type BackupOptions = {readonly folder: string; readonly now: number};

/**
 * Backs up a settings file's text with owner-only access, as it may hold keys, and keeps the five newest
 * backups of each file. Returns the backup's path. Throws `SettingsFileError` on failure, so that nothing is
 * changed without a backup.
 */
export function writeBackup(file: string, text: string, {folder, now}: BackupOptions): string {
	// Many files share a name: the hash of the path tells them apart.
	const print = createHash('sha256').update(file).digest('hex').slice(0, 8);
	const suffix = `-${print}-${basename(file)}`;
	const time = new Date(now).toISOString().replaceAll(':', '-');
	const backup = join(folder, `${time}${suffix}`);
	try {
		makeFolder(folder, 0o700);
		writeWhole(backup, text, 0o600);
		const all = readdirSync(folder).filter(name => name.endsWith(suffix));
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
export function writeWhole(file: string, text: string, mode: number): void {
	const descriptor = openSync(file, 'wx', mode);
	try {
		const bytes = Buffer.from(text);
		for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}
