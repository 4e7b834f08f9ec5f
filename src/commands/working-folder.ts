import {homedir} from 'node:os';

/**
 * Returns the user's home folder and makes sure that home and working folder exist. A user id without a name,
 * as in containers, gets the root folder as home, like Docker. If started in a removed folder, switches to
 * home.
 */
export function prepareWorkingFolder(note: (text: string) => void): string {
	const home = findHome();
	try {
		// Node caches the result: removing the folder later changes nothing.
		process.cwd();
	} catch {
		process.chdir(home);
		note(`the working directory was removed: using ${home}`);
	}
	return home;
}

function findHome(): string {
	try {
		return homedir();
	} catch {
		process.env.HOME = '/';
		return homedir();
	}
}
