import {existsSync, realpathSync} from 'node:fs';
import {delimiter, dirname, isAbsolute, join} from 'node:path';

/** The installed program has no hook where it should be. */
export class HookMissingError extends Error {
	override readonly name = 'HookMissingError';
}

/** The hook binary: beside the entry that runs (`script`, its path), as the package and the build leave them. */
export function findHook(script: string): string {
	const hook = join(dirname(realpathSync(script)), 'hook.cjs');
	if (existsSync(hook)) return asShellPath(hook);
	throw new HookMissingError(`${hook} is missing: reinstall quarterdeck, or build it with npm run build`);
}

/** Folders whose names last no longer than a shell or a boot. */
const fleeting = /^\/(run|tmp|proc|dev)\/|\/fnm_multishells\//;

/**
 * The path by which this Node will be found longest: a link on PATH outlives the versioned folder that it points
 * into. `running` is `process.execPath`.
 */
export function findNode(running: string, path: string | undefined): string {
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	const linked = (path ?? '')
		.split(delimiter)
		.filter(folder => isAbsolute(folder) && !fleeting.test(folder))
		.map(folder => join(folder, name))
		.find(file => realPath(file) === realPath(running));
	return asShellPath(linked ?? running);
}

function realPath(file: string): string | undefined {
	try {
		return realpathSync(file);
	} catch {
		return undefined;
	}
}

/** Shells on Windows read a backslash as an escape, and forward slashes as well as their own. */
function asShellPath(path: string): string {
	return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
