import {constants} from 'node:fs';
import {readRegularFile} from '../../hooks/regular-file.ts';
import {ifPossible} from '../domain/if-possible.ts';

/**
 * A file's text; undefined if it is missing, unreadable, longer than `maxSize` bytes, or no regular file: a pipe
 * without a writer would block, and a device may be endless. A link counts only with `followsLinks`.
 */
export function readSmallFile(
	path: string,
	{maxSize, followsLinks = false}: {readonly maxSize: number; readonly followsLinks?: boolean},
): string | undefined {
	const check = ({size}: {readonly size: number}) => {
		if (size > maxSize) throw new Error('the file is too large');
	};
	return ifPossible(() => readRegularFile(path, check, followsLinks ? 0 : constants.O_NOFOLLOW));
}
