import {join} from 'node:path';
import {type Client, findClient, type Scope} from '../../src/hook-setup/clients.ts';
import {type Program, wantedHandlers} from '../../src/hook-setup/hook-command.ts';
import {planChange} from '../../src/hook-setup/plan-change.ts';
import {readSettingsFile} from '../../src/hook-setup/read-settings.ts';
import {type Machine, settingsFiles} from '../../src/hook-setup/settings-files.ts';
import {writeSettingsFile} from '../../src/hook-setup/write-settings.ts';

export function clientNamed(name: string): Client {
	const client = findClient(name);
	if (!client) throw new Error(`there is no client ${name}`);
	return client;
}

/** Installs for one client as the command does, or uninstalls without a program. Answers the files written. */
export function installHooks(
	name: string,
	machine: Machine,
	program: Program | undefined,
	scope: Scope = 'user',
): string[] {
	const client = clientNamed(name);
	return settingsFiles(client, scope, machine).flatMap(({path, isBare, isShadowed}) => {
		const read = readSettingsFile(path);
		const wanted = program && !isShadowed ? wantedHandlers(client, program) : [];
		const plan = planChange({before: read.text, wanted, isBare});
		if (plan.kind === 'refused') throw new Error(plan.reason);
		if (plan.kind === 'same') return [];
		writeSettingsFile(read, plan.after, {folder: join(machine.home, 'backups'), now: Date.now()});
		return [path];
	});
}
