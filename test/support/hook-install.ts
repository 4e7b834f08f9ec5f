import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {
	type Client,
	findClient,
	type Machine,
	type Scope,
	settingsFiles,
} from '../../src/hook-setup/clients.ts';
import {formatHookCommand, type HookOptions, wantedHandlers} from '../../src/hook-setup/hook-command.ts';
import {type Program, writeLauncher} from '../../src/hook-setup/launcher.ts';
import {planChange} from '../../src/hook-setup/plan-change.ts';
import {readInstalled, readSettingsFile, writeSettingsFile} from '../../src/hook-setup/settings-file.ts';

export function clientNamed(name: string): Client {
	const client = findClient(name);
	if (!client) throw new Error(`there is no client ${name}`);
	return client;
}

/**
 * The launcher is in the home folder, unless it says where. One that is patient gives Node a minute, for a busy machine.
 */
type InstalledProgram = Omit<Program, 'launcher'> &
	Partial<Pick<Program, 'launcher'>> & {readonly isPatient?: boolean};

function launcherIn(folder: string, program: InstalledProgram | undefined): string {
	const launcher = program?.launcher ?? join(folder, 'quarterdeck-hook');
	if (program) writeLauncher({...program, launcher});
	if (program?.isPatient)
		writeFileSync(launcher, readFileSync(launcher, 'utf8').replace('seconds=4 ', 'seconds=60 '));
	return launcher;
}

/** A command for Claude Code and its launcher, which is written to `folder`. */
export function installedCommand(
	folder: string,
	program: InstalledProgram,
	options: HookOptions = {},
): string {
	mkdirSync(folder, {recursive: true});
	return formatHookCommand({launcher: launcherIn(folder, program), client: 'claude', ...options});
}

/** Installs for one client as the command does, or uninstalls without a program. Answers the files written. */
export function installHooks(
	name: string,
	machine: Machine,
	program: InstalledProgram | undefined,
	scope: Scope = 'user',
): string[] {
	const client = clientNamed(name);
	const launcher = launcherIn(machine.home, program);
	return settingsFiles(client, scope, machine).flatMap(({path, isBare, isShadowed}) => {
		const read = readSettingsFile(path);
		const wanted = program && !isShadowed ? wantedHandlers(client, launcher) : [];
		const folder = join(machine.home, 'backups');
		const installed = readInstalled(read, folder);
		const plan = planChange({before: read.text, wanted, isBare, installed});
		if (plan.kind === 'refused') throw new Error(plan.reason);
		if (plan.kind === 'same') return [];
		writeSettingsFile(read, plan.after, {folder, now: Date.now(), isInstall: program !== undefined});
		return [path];
	});
}
