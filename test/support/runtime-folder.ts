import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync} from 'node:fs';

/** Files in memory: the tests write many small ones, and scripts that they run. */
const inMemory = '/dev/shm';
const plenty = 4 * 1024 ** 3;

function isUsable(folder: string): boolean {
	if (!existsSync(folder)) return false;
	const {bavail, bsize} = statfsSync(folder);
	const mounts = readFileSync('/proc/mounts', 'utf8');
	return bavail * bsize > plenty && !new RegExp(` ${folder} \\S+ \\S*noexec`).test(mounts);
}

/**
 * Gives the tests a temporary and a runtime folder of their own: programs of whoever runs them listen elsewhere. The
 * programs they start share a folder for compiled code, without which half the time of a start is compiling.
 */
export function setup(): () => void {
	// Short, as paths of sockets must be.
	const folder = mkdtempSync(`${isUsable(inMemory) ? inMemory : '/tmp'}/qd-`);
	// Some tests act as another user.
	chmodSync(folder, 0o711);
	process.env.TMPDIR = folder;
	process.env.XDG_RUNTIME_DIR = `${folder}/run`;
	mkdirSync(process.env.XDG_RUNTIME_DIR, {mode: 0o700});
	process.env.XDG_CACHE_HOME = `${folder}/cache`;
	process.env.NODE_COMPILE_CACHE = `${folder}/compiled`;
	return () => rmSync(folder, {recursive: true, force: true, maxRetries: 5});
}
