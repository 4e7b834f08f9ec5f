import {readFileSync} from 'node:fs';
import {join} from 'node:path';

/** Files of a repository as git lists them: relative paths with slashes. */
export type SourceTree = {
	readonly files: readonly string[];
	has(path: string): boolean;
	/** Text of a file, or empty when it can't be read or is over 1 MiB. */
	read(path: string): string;
};

const longestFile = 1024 * 1024;

export function createSourceTree(root: string, files: readonly string[]): SourceTree {
	const known = new Set(files);
	return {
		files,
		has: path => known.has(path),
		read(path) {
			if (!known.has(path)) return '';
			try {
				const bytes = readFileSync(join(root, path));
				return bytes.length > longestFile ? '' : bytes.toString('utf8');
			} catch {
				return '';
			}
		},
	};
}
