import {isAbsolute, join} from 'node:path';

/** Variables of the environment. Passed in, so that what is read is seen. */
export type Environment = {readonly [name: string]: string | undefined};

/** `$XDG_CONFIG_HOME/quarterdeck/config.json`. A relative value counts as unset, as the XDG rules have it. */
export function configFile(env: Environment, home: string): string {
	return join(xdg(env.XDG_CONFIG_HOME, home, '.config'), 'quarterdeck', 'config.json');
}

/** `$XDG_STATE_HOME/quarterdeck`: everything that is kept. */
export function stateFolder(env: Environment, home: string): string {
	return join(xdg(env.XDG_STATE_HOME, home, '.local/state'), 'quarterdeck');
}

function xdg(value: string | undefined, home: string, usual: string): string {
	return value && isAbsolute(value) ? value : join(home, usual);
}
