import {chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync} from 'node:fs';

/** Files in memory, where there is plenty: the tests write many small ones. */
const inMemory = '/dev/shm';
const plenty = 4 * 1024 ** 3;

/**
 * Gives the tests a runtime folder of their own: programs of whoever runs them listen elsewhere. The programs they start
 * share a folder for compiled code, without which half the time of a start is compiling.
 */
export function setup(): () => void {
	const hasMemory = existsSync(inMemory) && statfsSync(inMemory).bavail * statfsSync(inMemory).bsize > plenty;
	// Short, as paths of sockets must be.
	const folder = mkdtempSync(`${hasMemory ? inMemory : '/tmp'}/qd-`);
	// Some tests act as another user.
	chmodSync(folder, 0o711);
	process.env.TMPDIR = folder;
	process.env.XDG_RUNTIME_DIR = `${folder}/run`;
	mkdirSync(process.env.XDG_RUNTIME_DIR, {mode: 0o700});
	process.env.XDG_CACHE_HOME = `${folder}/cache`;
	process.env.NODE_COMPILE_CACHE = `${folder}/compiled`;
	return () => rmSync(folder, {recursive: true, force: true});
}
