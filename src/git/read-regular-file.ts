import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs';

/**
 * A file's text; undefined if it is missing, unreadable, longer than `maxSize` bytes, or no regular file: a pipe
 * without a writer would block, and a device may be endless. A link counts only with `followsLinks`.
 */
export function readRegularFile(
	path: string,
	{maxSize, followsLinks = false}: {readonly maxSize: number; readonly followsLinks?: boolean},
): string | undefined {
	const {O_RDONLY, O_NONBLOCK, O_NOFOLLOW} = constants;
	try {
		const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW));
		try {
			const stats = fstatSync(descriptor);
			return stats.isFile() && stats.size <= maxSize ? readFileSync(descriptor, 'utf8') : undefined;
		} finally {
			closeSync(descriptor);
		}
	} catch {
		return undefined;
	}
}
