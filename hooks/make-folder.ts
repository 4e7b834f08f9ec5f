import {mkdirSync, statSync} from 'node:fs';
import {dirname} from 'node:path';

/**
 * Makes a folder and the parents it lacks, each with `mode`; one that is there stays as it is. Throws what mkdir raises.
 * Node's own `recursive` never returns where mkdir answers ENOENT although the parent is there, as under /proc: here
 * each parent is tried once.
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

/** Whatever mkdir says of it, a folder that is there is what was asked for: another process may have made it. */
function makeOne(folder: string, mode: number): void {
	try {
		mkdirSync(folder, mode);
	} catch (error) {
		if (!statSync(folder, {throwIfNoEntry: false})?.isDirectory()) throw error;
	}
}
