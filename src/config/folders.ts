import {dirname, isAbsolute, join} from 'node:path';

/** Environment variables, passed in to make their use explicit. */
export type Environment = {readonly [name: string]: string | undefined};

/** `$XDG_CONFIG_HOME/quarterdeck/config.json`. As in the XDG specification, a relative value counts as unset. */
export function configFile(env: Environment, home: string): string {
	return join(xdg(env.XDG_CONFIG_HOME, home, '.config'), 'quarterdeck', 'config.json');
}

/** `$XDG_STATE_HOME/quarterdeck`: all saved data. */
export function stateFolder(env: Environment, home: string): string {
	return join(xdg(env.XDG_STATE_HOME, home, '.local/state'), 'quarterdeck');
}

/** `$XDG_CACHE_HOME/quarterdeck`: compiled code; `src/cli.ts`, which imports nothing, has it too. */
export function cacheFolder(env: Environment, home: string): string {
	return join(xdg(env.XDG_CACHE_HOME, home, '.cache'), 'quarterdeck');
}

function xdg(value: string | undefined, home: string, fallback: string): string {
	return value && isAbsolute(value) ? value : join(home, fallback);
}

/** A path of the configuration, where `~/` is the home folder. */
export function inHome(path: string, home: string): string {
	return path.replace(/^~(?=\/)/, home);
}

/** Whether a key file is one of those that typed keys are saved in. */
export function isTypedKey(keyFile: string, configFile: string): boolean {
	return dirname(keyFile) === keyFolder(configFile);
}

export function keyFolder(configFile: string): string {
	return join(dirname(configFile), 'keys');
}
