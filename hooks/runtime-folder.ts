import {lstatSync, mkdirSync} from 'node:fs';
import {dirname, isAbsolute} from 'node:path';
import {makeFolder} from './make-folder.ts';

/** Whose folders are meant: the parts of a process that name them. */
export type RuntimeEnvironment = {
	readonly env: NodeJS.ProcessEnv;
	/** -1 where the system knows no user ids. */
	readonly uid: number;
	readonly platform: NodeJS.Platform;
};

export function currentEnvironment(): RuntimeEnvironment {
	return {env: process.env, uid: process.getuid?.() ?? -1, platform: process.platform};
}

/** The folders that this environment names, best first. */
function ownFolders({env, uid, platform}: RuntimeEnvironment): string[] {
	if (platform === 'win32') return env.LOCALAPPDATA ? [`${env.LOCALAPPDATA}/quarterdeck/run`] : [];
	const runtime = env.XDG_RUNTIME_DIR;
	const temporary = env.TMPDIR && isAbsolute(env.TMPDIR) ? env.TMPDIR : '/tmp';
	const folders = [`${temporary}/quarterdeck-${uid}`];
	if (runtime && isAbsolute(runtime)) folders.unshift(`${runtime}/quarterdeck`);
	return folders;
}

/**
 * Every folder in which a running program of this user may listen. A hook run by ssh, cron or a desktop may lack the
 * variable that the program had, so where none is set the usual place is looked into as well.
 */
export function runtimeFolders(environment: RuntimeEnvironment): string[] {
	const folders = ownFolders(environment);
	if (environment.platform === 'linux' && !environment.env.XDG_RUNTIME_DIR)
		folders.unshift(`/run/user/${environment.uid}/quarterdeck`);
	return folders;
}

/** A real folder, ours, closed to everyone else. On sockets the folder is the lock: Node can't tell who connects. */
export function isPrivateFolder(path: string, {uid, platform}: RuntimeEnvironment): boolean {
	try {
		const found = lstatSync(path, {throwIfNoEntry: false});
		if (!found?.isDirectory()) return false;
		return platform === 'win32' || (found.uid === uid && (found.mode & 0o077) === 0);
	} catch {
		return false;
	}
}

/** No folder to listen in. */
export class RuntimeFolderError extends Error {
	override readonly name = 'RuntimeFolderError';
}

/**
 * Makes the folder to listen in: `$XDG_RUNTIME_DIR/quarterdeck`, else the one in the temporary folder.
 * Throws `RuntimeFolderError` when neither is, or can be made, ours alone.
 */
export function openRuntimeFolder(environment: RuntimeEnvironment): string {
	const folders = ownFolders(environment);
	for (const folder of folders) {
		const isShared = folder === folders.at(-1);
		if ((isShared || isPrivateFolder(dirname(folder), environment)) && makePrivateFolder(folder, environment))
			return folder;
	}
	throw new RuntimeFolderError(
		`${folders.at(-1) ?? 'LOCALAPPDATA'} must be a folder of yours with mode 0700: remove it, or set XDG_RUNTIME_DIR`,
	);
}

/** Makes a folder of mode 0700 if it isn't there; is it ours alone? */
function makePrivateFolder(folder: string, environment: RuntimeEnvironment): boolean {
	try {
		// Elsewhere its parent is a folder of the system's: one that is missing isn't ours to make.
		if (environment.platform === 'win32') makeFolder(folder, 0o700);
		else mkdirSync(folder, {mode: 0o700});
	} catch {
		// It is there already, or can't be: the check tells.
	}
	return isPrivateFolder(folder, environment);
}
