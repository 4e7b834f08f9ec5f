import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/** Files of a repository as git lists them: relative paths with slashes. */
export type SourceTree = {
	readonly files: readonly string[];
	has(path: string): boolean;
	/** Text of a file, or empty when it is a link, can't be read or is over 1 MiB. */
	read(path: string): string;
};

const maxFileSize = 1024 * 1024;

export function createSourceTree(root: string, files: readonly string[]): SourceTree {
	const known = new Set(files);
	return {
		files,
		has: path => known.has(path),
		read(path) {
			if (!known.has(path)) return '';
			try {
				return readOwnText(join(root, path));
			} catch {
				return '';
			}
		},
	};
}

/** A link of the repository may lead out of it: to a pipe that is never written to, or a device that never ends. */
function readOwnText(file: string): string {
	const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const stat = fstatSync(descriptor);
		return stat.isFile() && stat.size <= maxFileSize ? readFileSync(descriptor, 'utf8') : '';
	} finally {
		closeSync(descriptor);
	}
}
