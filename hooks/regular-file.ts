import {closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync} from 'node:fs';

/** A path that should be a regular file is something else. Opening a named pipe would block forever. */
export class NotAFileError extends Error {
	override readonly name = 'NotAFileError';

	constructor(file: string, stat: Stats) {
		super(`${file} is ${kindOf(stat)}, not a file`);
	}
}

/** Throws `NotAFileError` if the path exists and isn't a regular file. */
export function requireRegularFile(file: string): void {
	const stat = statSync(file, {throwIfNoEntry: false});
	if (stat && !stat.isFile()) throw new NotAFileError(file, stat);
}

/**
 * Reads a whole text file that passes `check`. Throws file system errors, `NotAFileError` and what `check` throws. `flags`
 * are more flags to open it with.
 */
export function readRegularFile(file: string, check: (stat: Stats) => void = () => {}, flags = 0): string {
	const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | flags);
	try {
		const stat = fstatSync(descriptor);
		if (!stat.isFile()) throw new NotAFileError(file, stat);
		check(stat);
		return readFileSync(descriptor, 'utf8');
	} finally {
		closeSync(descriptor);
	}
}

function kindOf(stat: Stats): string {
	if (stat.isDirectory()) return 'a folder';
	if (stat.isFIFO()) return 'a named pipe';
	return stat.isSocket() ? 'a socket' : 'a device';
}
