import {existsSync, realpathSync} from 'node:fs';
import {delimiter, dirname, isAbsolute, join} from 'node:path';
import {ifPossible} from '../domain/if-possible.ts';

export class HookMissingError extends Error {
	override readonly name = 'HookMissingError';
}

/** Finds the hook binary next to the running entry (`script`, its path), where the package and the build put it. */
export function findHook(script: string): string {
	const hook = join(dirname(realpathSync(script)), 'hook.cjs');
	if (existsSync(hook)) return asShellPath(hook);
	throw new HookMissingError(`${hook} is missing: reinstall quarterdeck, or build it with npm run build`);
}

/** Folders that don't outlive a shell or a boot. */
const shortLived = /^\/(run|tmp|proc|dev)\/|\/fnm_multishells\//;

/**
 * The most durable path of the running Node: a link on PATH outlives the versioned folder it points to.
 * `running` is `process.execPath`.
 */
export function findNode(running: string, path: string | undefined): string {
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	const linked = (path ?? '')
		.split(delimiter)
		.filter(folder => isAbsolute(folder) && !shortLived.test(folder))
		.map(folder => join(folder, name))
		.find(file => realPath(file) === realPath(running));
	return asShellPath(linked ?? running);
}

function realPath(file: string): string | undefined {
	return ifPossible(() => realpathSync(file));
}

/** On Windows, shells read a backslash as an escape but accept forward slashes. */
function asShellPath(path: string): string {
	return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
