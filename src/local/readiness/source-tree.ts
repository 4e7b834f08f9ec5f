import {join} from 'node:path';
import {readRegularFile} from '../../git/read-regular-file.ts';

/** A repository's files as git lists them: relative paths with forward slashes. */
export type SourceTree = ReturnType<typeof createSourceTree>;

const maxFileSize = 1024 * 1024;

export function createSourceTree(root: string, files: readonly string[]) {
	const known = new Set(files);
	return {
		files,
		/** A file's text; empty when it is a symlink, can't be read or is over 1 MiB. */
		read(path: string): string {
			if (!known.has(path)) return '';
			return readRegularFile(join(root, path), {maxSize: maxFileSize}) ?? '';
		},
	};
}
