import {mkdtempSync, rmSync} from 'node:fs';

/** Gives the tests a runtime folder of their own: programs of whoever runs them listen elsewhere. */
export function setup(): () => void {
	// Short, as paths of sockets must be.
	const folder = mkdtempSync('/tmp/qd-run-');
	process.env.XDG_RUNTIME_DIR = folder;
	return () => rmSync(folder, {recursive: true, force: true});
}
