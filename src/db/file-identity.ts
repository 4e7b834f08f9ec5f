import {type BigIntStats, statSync, truncateSync} from 'node:fs';
import {requireRegularFile} from '../../hooks/regular-file.ts';

/**
 * The path no longer leads to the file that is open. `removed`: nothing is there. `replaced`: another file is.
 * `emptied`: it has no content. `log`: its write-ahead log was removed, replaced or cut off.
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

/** The files sqlite makes beside a database. */
export const sideFiles = ['-wal', '-shm', '-journal'] as const;

/** The write-ahead log is cut back to this many bytes, and no further, after it was read into the file. */
export const logLimit = 8 * 1024 * 1024;

/** sqlite maps the -shm file in pieces of this size, and the process dies by SIGBUS when one of them is cut off. */
const mappedPiece = 32_768n;

/** Raises `NotAFileError`. */
export function requireRegularFiles(file: string): void {
	for (const suffix of ['', ...sideFiles]) requireRegularFile(file + suffix);
}

/** A database that is gone or has no content, beside a log with some: sqlite would delete the log. */
export function isEmptied(file: string): boolean {
	if ((statOf(file)?.size ?? 0n) > 0n) return false;
	const log = statOf(`${file}-wal`);
	return log?.isFile() === true && log.size > 0n;
}

/** A database file that was just opened, and its write-ahead log where it has one. */
export type OpenFiles = {
	readonly main: string | undefined;
	readonly log: string | undefined;
	/** Raises `FileLostError` when they are no longer what is at the path. */
	check(): void;
};

export function watchIdentity(file: string): OpenFiles {
	const log = fileIdentity(`${file}-wal`);
	const main = fileIdentity(file);
	let mapped = 0n;
	let logSize = 0n;
	function check(): void {
		let stat: BigIntStats | undefined;
		try {
			stat = statOf(file);
		} catch {
			// It can't be looked at any more: the open file goes on.
			return;
		}
		if (!stat) throw new FileLostError('removed');
		if (identityOf(stat) !== main) throw new FileLostError('replaced');
		if (stat.size === 0n) throw new FileLostError('emptied');
		if (log === undefined) return;
		const logStat = statOf(`${file}-wal`);
		if (logStat === undefined || identityOf(logStat) !== log) throw new FileLostError('log');
		// sqlite would go on behind the hole, and nobody could read the log any more.
		if (logStat.size < logSize && logStat.size < logLimit) throw new FileLostError('log');
		logSize = logStat.size;
		mapped = keepMapped(`${file}-shm`, mapped);
	}
	return {main, log, check};
}

/** Gives a -shm file that was cut off its size back: sqlite builds its content anew. Answers the size it must keep. */
function keepMapped(file: string, mapped: bigint): bigint {
	const size = statOf(file)?.size;
	if (size === undefined) return mapped;
	const minSize = mapped > mappedPiece ? mapped : mappedPiece;
	if (size >= minSize) return size;
	try {
		truncateSync(file, Number(minSize));
	} catch {}
	return minSize;
}

/** Names the file that is at a path now, whatever its content; undefined where none is. */
export function fileIdentity(file: string): string | undefined {
	return identityOf(statOf(file));
}

function statOf(file: string): BigIntStats | undefined {
	return statSync(file, {bigint: true, throwIfNoEntry: false});
}

function identityOf(stat: BigIntStats | undefined): string | undefined {
	return stat && `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
}
