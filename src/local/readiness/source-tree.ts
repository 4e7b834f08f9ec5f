import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/** A repository's files as git lists them: relative paths with forward slashes. */
export type SourceTree = ReturnType<typeof createSourceTree>;

const maxFileSize = 1024 * 1024;

export function createSourceTree(root: string, files: readonly string[]) {
	const known = new Set(files);
	return {
		files,
		has: (path: string) => known.has(path),
		/** A file's text; empty when it is a symlink, can't be read or is over 1 MiB. */
		read(path: string): string {
			if (!known.has(path)) return '';
			try {
				return readOwnText(join(root, path));
			} catch {
				return '';
			}
		},
	};
}

/** A symlink may lead out of the repository, to a pipe without a writer or an endless device. */
function readOwnText(file: string): string {
	const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const stat = fstatSync(descriptor);
		return stat.isFile() && stat.size <= maxFileSize ? readFileSync(descriptor, 'utf8') : '';
	} finally {
		closeSync(descriptor);
	}
}
