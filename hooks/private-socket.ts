import {lstatSync, type Stats} from 'node:fs';
import {isPrivateFolder, type RuntimeEnvironment} from './runtime-folder.ts';

/**
 * Why another process's socket can't be trusted, or undefined if it can: it must be a real socket of this
 * user in a folder only this user can access. Node can't identify the listener, so check this before sending
 * anything.
 */
export function socketProblem(file: string, environment: RuntimeEnvironment): string | undefined {
	const folder = file.slice(0, file.lastIndexOf('/'));
	if (!statOf(folder)) return `${folder} is gone`;
	if (!isPrivateFolder(folder, environment)) return `${folder} is not a folder of yours with mode 0700`;
	const found = statOf(file);
	if (!found) return `${file} is gone`;
	if (!found.isSocket()) return `${file} is not a socket`;
	return found.uid === environment.uid ? undefined : `${file} belongs to another user`;
}

/** What is at a path, links not followed; undefined if there is nothing, or it can't be known. */
export function statOf(file: string): Stats | undefined {
	try {
		return lstatSync(file, {throwIfNoEntry: false});
	} catch {
		return undefined;
	}
}
