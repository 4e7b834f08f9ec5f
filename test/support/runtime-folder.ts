import {mkdtempSync, rmSync} from 'node:fs';

/**
 * Gives the tests a runtime folder of their own: programs of whoever runs them listen elsewhere. The programs they start
 * share a folder for compiled code, without which half the time of a start is compiling.
 */
export function setup(): () => void {
	// Short, as paths of sockets must be.
	const folder = mkdtempSync('/tmp/qd-run-');
	process.env.XDG_RUNTIME_DIR = folder;
	process.env.XDG_CACHE_HOME = `${folder}/cache`;
	process.env.NODE_COMPILE_CACHE = `${folder}/compiled`;
	return () => rmSync(folder, {recursive: true, force: true});
}
