import {
	accessSync,
	type BigIntStats,
	closeSync,
	constants,
	existsSync,
	ftruncateSync,
	openSync,
	statSync,
} from 'node:fs';
import {requireRegularFile} from '../../../hooks/regular-file.ts';

/**
 * How the path stopped leading to the open file. `removed`: no file is there. `replaced`: another file is.
 * `emptied`: the file has no content. `log`: its write-ahead log was removed, replaced or truncated.
 */
export type Loss = 'removed' | 'replaced' | 'emptied' | 'log';

export class FileLostError extends Error {
	override readonly name = 'FileLostError';
	readonly loss: Loss;

	constructor(loss: Loss) {
		super(`The open database file was lost: ${loss}`);
		this.loss = loss;
	}
}

/** Files that sqlite creates beside a database. */
export const sideFiles = ['-wal', '-shm', '-journal'] as const;

/** Size of a database with its side files, bytes. */
export function bytesOnDisk(file: string): number {
	const sizes = ['', ...sideFiles].map(suffix => statSync(file + suffix, {throwIfNoEntry: false})?.size ?? 0);
	return sizes.reduce((sum, size) => sum + size, 0);
}

/** After a checkpoint, sqlite truncates the write-ahead log to no fewer than this many bytes. */
export const logLimit = 8 * 1024 * 1024;

/** sqlite maps the -shm file in pieces of this size; truncating one kills the process with SIGBUS. */
const mappedPiece = 32_768n;

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
	if ((statOf(file)?.size ?? 0n) > 0n) return false;
	const log = statOf(`${file}-wal`);
	return log?.isFile() === true && log.size > 0n;
}

/** A newly opened database file and its write-ahead log, if any. */
export type OpenFiles = {
	readonly main: string | undefined;
	/** Identifies the content: all programs that use the same file and log see the same. */
	readonly content: string;
	/** The suffixes of its files that are still at the path. */
	remaining(): readonly string[];
	/** Throws `FileLostError` when the path no longer leads to these files. */
	check(): void;
};

export function watchIdentity(file: string): OpenFiles {
	const log = fileIdentity(`${file}-wal`);
	const map = fileIdentity(`${file}-shm`);
	const main = fileIdentity(file);
	let mapped = 0n;
	let logSize = 0n;
	function check(): void {
		let stat: BigIntStats | undefined;
		try {
			stat = statOf(file);
		} catch {
			// The path can't be checked any more: keep using the open file.
			return;
		}
		if (!stat) throw new FileLostError('removed');
		if (identityOf(stat) !== main) throw new FileLostError('replaced');
		if (stat.size === 0n) throw new FileLostError('emptied');
		if (log === undefined) return;
		const logStat = statOf(`${file}-wal`);
		if (logStat === undefined || identityOf(logStat) !== log) throw new FileLostError('log');
		// sqlite would append after the hole, and the log would become unreadable.
		if (logStat.size < logSize && logStat.size < logLimit) throw new FileLostError('log');
		logSize = logStat.size;
		mapped = restoreMapSize(`${file}-shm`, mapped);
	}
	function remaining(): string[] {
		if (fileIdentity(file) === main) return ['', ...sideFiles];
		const ownIdentities = [log, map].filter(part => part !== undefined);
		return sideFiles.filter(suffix => ownIdentities.includes(fileIdentity(file + suffix) ?? ''));
	}
	return {main, content: contentOf(main, log), remaining, check};
}

/** Identifies the file and log now at a path, as `OpenFiles.content`. */
export function contentIdentity(file: string): string {
	return contentOf(fileIdentity(file), fileIdentity(`${file}-wal`));
}

function contentOf(main: string | undefined, log: string | undefined): string {
	return `${main} ${log}`;
}

/** Restores the size of a truncated -shm file; sqlite rebuilds its content. Returns the size it must keep. */
function restoreMapSize(file: string, mapped: bigint): bigint {
	const size = statOf(file)?.size;
	if (size === undefined) return mapped;
	const minSize = mapped > mappedPiece ? mapped : mappedPiece;
	if (size >= minSize) return size;
	try {
		// It stays open: closing any descriptor of a file drops all locks that sqlite holds on it in this process.
		ftruncateSync(openSync(file, 'r+'), Number(minSize));
	} catch {}
	return minSize;
}

/** Identifies the file now at a path, regardless of its content; undefined without one. */
export function fileIdentity(file: string): string | undefined {
	return identityOf(statOf(file));
}

function statOf(file: string): BigIntStats | undefined {
	return statSync(file, {bigint: true, throwIfNoEntry: false});
}

function identityOf(stat: BigIntStats | undefined): string | undefined {
	return stat && `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
}
