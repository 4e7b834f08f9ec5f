import {readlinkSync, realpathSync} from 'node:fs';
import {basename, dirname, isAbsolute, join} from 'node:path';

/** More links than this in a row are a circle. */
const maxLinks = 40;

/** The file that writing to an absolute path would change or create: every link followed, dangling ones too. */
export function realPath(path: string, links = 0): string {
	try {
		return realpathSync(path);
	} catch {
		// It doesn't exist, or can't be read.
	}
	const parent = dirname(path);
	if (parent === path) return path;
	const inParent = join(realPath(parent, links), basename(path));
	if (links >= maxLinks) return inParent;
	try {
		const target = readlinkSync(inParent);
		return realPath(isAbsolute(target) ? target : `${dirname(inParent)}/${target}`, links + 1);
	} catch {
		return inParent;
	}
}
