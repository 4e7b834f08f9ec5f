import {existsSync} from 'node:fs';
import {basename, dirname, isAbsolute, join} from 'node:path';
import {type Client, clients, type Scope, scopes} from './clients.ts';

/** Whose settings are meant: the parts of a process that name them. `home` and `cwd` are absolute. */
export type Machine = {
	readonly home: string;
	readonly cwd: string;
	readonly env: {readonly [name: string]: string | undefined};
};

/** One file that can hold a client's hooks. */
export type SettingsFile = {
	readonly client: Client;
	/** Undefined for a file that was named by its path. */
	readonly scope: Scope | undefined;
	readonly path: string;
	/** Whether the client ignores this file's hooks because another file exists: droid prefers `hooks.json`. */
	readonly isShadowed: boolean;
	/** May its root itself be the map of events? */
	readonly isBare: boolean;
};

/** The folder of a client's settings. */
export function settingsFolder(client: Client, scope: Scope, {home, cwd, env}: Machine): string {
	if (scope !== 'user') return join(cwd, client.folder);
	const named = client.folderVariable ? env[client.folderVariable] : undefined;
	return named && isAbsolute(named) ? named : join(home, client.folder);
}

/** Was the client ever started by this user? */
export function isFound(client: Client, machine: Machine): boolean {
	return existsSync(settingsFolder(client, 'user', machine));
}

/** The files of one scope, of which exactly one is not shadowed; none when the client has no such scope. */
export function settingsFiles(client: Client, scope: Scope, machine: Machine): SettingsFile[] {
	const folder = settingsFolder(client, scope, machine);
	const names = client.files[scope] ?? [];
	const active = names.find(name => existsSync(join(folder, name))) ?? names.at(-1);
	return names.map(name => ({
		client,
		scope,
		path: join(folder, name),
		isShadowed: name !== active,
		isBare: name === client.bareFile,
	}));
}

/** The files of every scope. A project that is the home folder itself names the user's files only once. */
export function allSettingsFiles(client: Client, machine: Machine): SettingsFile[] {
	const files = scopes.flatMap(scope => settingsFiles(client, scope, machine));
	return files.filter((file, index) => files.findIndex(({path}) => path === file.path) === index);
}

/** A file named by its path. The client is asked for, or told by the folder the file is in. */
export function namedSettingsFile(path: string, client?: Client): SettingsFile | undefined {
	const known = client ?? clients.find(({folder}) => folder === basename(dirname(path)));
	if (!known) return undefined;
	const isBare = basename(path) === known.bareFile;
	const isShadowed =
		!isBare && known.bareFile !== undefined && existsSync(join(dirname(path), known.bareFile));
	return {client: known, scope: undefined, path, isShadowed, isBare};
}
