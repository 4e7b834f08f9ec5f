import {resolve} from 'node:path';
import {stateFolder} from '../../config/folders.ts';
import {
	allSettingsFiles,
	type Client,
	clientNames,
	clients,
	findClient,
	isFound,
	type Machine,
	namedSettingsFile,
	type SettingsFile,
	scopes,
	settingsFiles,
} from '../../hook-setup/clients.ts';
import {findHook, findNode, launcherFile, type Program} from '../../hook-setup/launcher.ts';
import type {CommandContext} from '../cli/context.ts';
import {UsageError} from '../cli/errors.ts';
import {cliStrings} from '../cli/strings.ts';
import {strings} from './strings.ts';

const {chosenFiles: text} = strings;
const {conflict} = cliStrings.usage;

export function thisMachine({input, system}: CommandContext): Machine {
	return {home: input.home, cwd: system.folder, env: input.env};
}

/** The paths of the running program that hooks should use. Throws `HookMissingError`. */
export function thisProgram({input, system}: CommandContext): Program {
	return {
		launcher: launcherFile(stateFolder(input.env, input.home)),
		node: findNode(process.execPath, input.env.PATH),
		hook: findHook(system.script),
	};
}

/**
 * The files that the flags name. Without `--client`, those of all clients that pass `isIncluded` (default: all).
 * Throws `UsageError`.
 */
export function chosenFiles(
	context: CommandContext,
	isIncluded: (client: Client, machine: Machine) => boolean = () => true,
): SettingsFile[] {
	const machine = thisMachine(context);
	const named = context.flags.list('client').flatMap(name => findClient(name) ?? []);
	const path = context.flags.text('settings');
	if (path !== undefined) {
		if (context.flags.text('scope') !== undefined) throw new UsageError(conflict('--settings', '--scope'));
		return [chosenFile(machine, path, named)];
	}
	const scope = context.flags.choice('scope', scopes) ?? 'user';
	const without = named.find(client => !client.files[scope]);
	if (without) throw new UsageError(text.noScope(without.title, scope));
	const included = named.length > 0 ? named : clients.filter(client => isIncluded(client, machine));
	if (included.length === 0) throw new UsageError(text.noClient(clientNames.join('|')));
	return included.flatMap(client => settingsFiles(client, scope, machine));
}

/**
 * The files to install into: by default, of the clients whose settings folder exists on this machine. Throws
 * `UsageError` for a file that its client doesn't read.
 */
export function filesToInstall(context: CommandContext): SettingsFile[] {
	const files = chosenFiles(context, isFound);
	const unread = files.find(({scope, isShadowed}) => scope === undefined && isShadowed);
	if (!unread) return files;
	const {client, path} = unread;
	throw new UsageError(text.notRead(client.title, path, client.bareFile));
}

/** The files to inspect, by client: every scope's, plus the one that `--settings` names. */
export function filesToInspect(context: CommandContext): {client: Client; files: SettingsFile[]}[] {
	const machine = thisMachine(context);
	const named = context.flags.list('client').flatMap(name => findClient(name) ?? []);
	const path = context.flags.text('settings');
	const extra = path === undefined ? undefined : chosenFile(machine, path, named);
	const included = extra ? [extra.client] : named.length > 0 ? named : clients;
	return included.map(client => {
		const files = allSettingsFiles(client, machine);
		const isMissing = extra !== undefined && !files.some(file => file.path === extra.path);
		return {client, files: isMissing ? [...files, extra] : files};
	});
}

function chosenFile({cwd}: Machine, path: string, named: readonly Client[]): SettingsFile {
	if (named.length > 1) throw new UsageError(text.oneFile);
	const file = namedSettingsFile(resolve(cwd, path), named[0]);
	if (file) return file;
	throw new UsageError(text.unclearClient(path));
}
