import {homedir} from 'node:os';

/**
 * Answers the user's home folder, and makes sure that there is one and a working folder: a user id without a name, as in
 * containers, gets the root folder for a home, as Docker does it; who starts us in a removed folder, home to work in.
 */
export function prepareWorkingFolder(note: (text: string) => void): string {
	const home = findHome();
	try {
		// Node remembers the answer: a folder removed later changes nothing.
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
