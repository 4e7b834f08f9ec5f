import {existsSync} from 'node:fs';
import {basename, dirname, isAbsolute, join} from 'node:path';
import {type Client, clients, type Scope, scopes} from './clients.ts';

/** The process state that determines whose settings are used. `home` and `cwd` are absolute. */
export type Machine = {
	readonly home: string;
	readonly cwd: string;
	readonly env: {readonly [name: string]: string | undefined};
};

/** One file that can hold a client's hooks. */
export type SettingsFile = {
	readonly client: Client;
	/** Undefined for a file given by path. */
	readonly scope: Scope | undefined;
	readonly path: string;
	/** Whether the client ignores this file's hooks because another file exists: droid prefers `hooks.json`. */
	readonly isShadowed: boolean;
	/** Whether its root may itself be the event map. */
	readonly isBare: boolean;
};

export function settingsFolder(client: Client, scope: Scope, {home, cwd, env}: Machine): string {
	if (scope !== 'user') return join(cwd, client.folder);
	const named = client.folderVariable ? env[client.folderVariable] : undefined;
	return named && isAbsolute(named) ? named : join(home, client.folder);
}

/** Whether this user has ever started the client. */
export function isFound(client: Client, machine: Machine): boolean {
	return existsSync(settingsFolder(client, 'user', machine));
}

/** The files of one scope, exactly one of them not shadowed; empty if the client doesn't have the scope. */
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

/** The files of every scope. If the project is the home folder, lists the user's files only once. */
export function allSettingsFiles(client: Client, machine: Machine): SettingsFile[] {
	const files = scopes.flatMap(scope => settingsFiles(client, scope, machine));
	return files.filter((file, index) => files.findIndex(({path}) => path === file.path) === index);
}

/** A settings file given by path. Without `client`, the file's folder determines it. */
export function namedSettingsFile(path: string, client?: Client): SettingsFile | undefined {
	const known = client ?? clients.find(({folder}) => folder === basename(dirname(path)));
	if (!known) return undefined;
	const isBare = basename(path) === known.bareFile;
	const isShadowed =
		!isBare && known.bareFile !== undefined && existsSync(join(dirname(path), known.bareFile));
	return {client: known, scope: undefined, path, isShadowed, isBare};
}
