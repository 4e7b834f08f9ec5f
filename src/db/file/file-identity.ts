import {accessSync, closeSync, constants, existsSync, openSync, statSync} from 'node:fs';
import {requireRegularFile} from '../../../hooks/regular-file.ts';

/** Files that sqlite creates beside a database. */
export const sideFiles = ['-wal', '-shm', '-journal'] as const;

/** Size of a database with its side files, bytes. */
export function bytesOnDisk(file: string): number {
	const sizes = ['', ...sideFiles].map(suffix => statSync(file + suffix, {throwIfNoEntry: false})?.size ?? 0);
	return sizes.reduce((sum, size) => sum + size, 0);
}

/** Throws `NotAFileError`. */
export function requireRegularFiles(file: string): void {
	for (const suffix of ['', ...sideFiles]) requireRegularFile(file + suffix);
}

/** Creates a missing database file: sqlite would apply the umask; its -wal and -shm inherit the permissions. */
export function requireWritable(file: string): void {
	// Closing a descriptor of a file in use would drop all locks that sqlite holds on it in this process.
	if (existsSync(file)) accessSync(file, constants.W_OK);
	else closeSync(openSync(file, 'a', 0o600));
}

/** Whether the database is missing or empty beside a log with content, which sqlite would delete. */
export function isEmptied(file: string): boolean {
	const log = statSync(`${file}-wal`, {throwIfNoEntry: false});
	const size = statSync(file, {throwIfNoEntry: false})?.size ?? 0;
	return size === 0 && log?.isFile() === true && log.size > 0;
}

/** Identifies the file now at a path, regardless of its content; undefined without one. */
export function fileIdentity(file: string): string | undefined {
	const stat = statSync(file, {bigint: true, throwIfNoEntry: false});
	return stat && `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
}
