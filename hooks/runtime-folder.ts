import {lstatSync, mkdirSync, statSync} from 'node:fs';
import {dirname, isAbsolute} from 'node:path';

/** The parts of a process's environment that determine its folders. */
export type RuntimeEnvironment = {
	readonly env: NodeJS.ProcessEnv;
	readonly uid: number;
};

export function currentEnvironment(): RuntimeEnvironment {
	return {env: process.env, uid: process.getuid?.() ?? -1};
}

/** The runtime folders this environment names, best first. */
function ownFolders({env, uid}: RuntimeEnvironment): string[] {
	const runtime = env.XDG_RUNTIME_DIR;
	const temporary = env.TMPDIR && isAbsolute(env.TMPDIR) ? env.TMPDIR : '/tmp';
	const folders = [`${temporary}/quarterdeck-${uid}`];
	if (runtime && isAbsolute(runtime)) folders.unshift(`${runtime}/quarterdeck`);
	return folders;
}

/**
 * All folders where a running program of this user may listen. A hook run by ssh, cron or a desktop may lack
 * the program's XDG_RUNTIME_DIR, so the default is included if it is unset.
 */
export function runtimeFolders(environment: RuntimeEnvironment): string[] {
	const folders = ownFolders(environment);
	if (!environment.env.XDG_RUNTIME_DIR) folders.unshift(`/run/user/${environment.uid}/quarterdeck`);
	return folders;
}

/**
 * Whether it is a real folder, owned by this user and closed to others. The folder is what protects sockets:
 * Node can't identify who connects.
 */
export function isPrivateFolder(path: string, {uid}: RuntimeEnvironment): boolean {
	try {
		const found = lstatSync(path, {throwIfNoEntry: false});
		if (!found?.isDirectory()) return false;
		return found.uid === uid && (found.mode & 0o077) === 0;
	} catch {
		return false;
	}
}

export class RuntimeFolderError extends Error {
	override readonly name = 'RuntimeFolderError';
}

/**
 * Creates the folder to listen in: `$XDG_RUNTIME_DIR/quarterdeck`, otherwise one in the temporary folder.
 * Throws `RuntimeFolderError` if neither is, or can be made, private.
 */
export function openRuntimeFolder(environment: RuntimeEnvironment): string {
	const folders = ownFolders(environment);
	for (const folder of folders) {
		const isShared = folder === folders.at(-1);
		if ((isShared || isPrivateFolder(dirname(folder), environment)) && makePrivateFolder(folder, environment))
			return folder;
	}
	throw new RuntimeFolderError(
		`${folders.at(-1)} must be a folder of yours with mode 0700: remove it, or set XDG_RUNTIME_DIR`,
	);
}

/** Creates a folder with mode 0700 if it doesn't exist. Returns whether it is private. */
function makePrivateFolder(folder: string, environment: RuntimeEnvironment): boolean {
	try {
		// The parent is a system folder: don't create it if it is missing.
		mkdirSync(folder, {mode: 0o700});
	} catch {
		// It exists already or can't be created: the check below decides.
	}
	return isPrivateFolder(folder, environment);
}

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
