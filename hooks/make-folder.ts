import {mkdirSync, statSync} from 'node:fs';
import {dirname} from 'node:path';

/**
 * Creates a folder and its missing parents with `mode`; leaves existing folders unchanged. Throws what mkdir
 * throws. Node's `recursive` never returns if mkdir answers ENOENT although the parent exists, as under
 * /proc; this tries each parent once.
 */
export function makeFolder(folder: string, mode = 0o777): void {
	try {
		makeOne(folder, mode);
	} catch (error) {
		const parent = dirname(folder);
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
		makeFolder(parent, mode);
		makeOne(folder, mode);
	}
}

/** An existing folder counts as success, whatever error mkdir throws: another process may have created it. */
function makeOne(folder: string, mode: number): void {
	try {
		mkdirSync(folder, mode);
	} catch (error) {
		if (!statSync(folder, {throwIfNoEntry: false})?.isDirectory()) throw error;
	}
}
