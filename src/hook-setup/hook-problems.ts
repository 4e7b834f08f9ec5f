import {clients} from './clients.ts';
import {type FileStatus, fileStatus} from './file-status.ts';
import {allSettingsFiles, isFound, type Machine} from './settings-files.ts';

/** Why one client's hooks report nothing: what an installed hook needs is gone, or its settings can't be read. */
export type HookProblem = {readonly title: string; readonly path: string} & Pick<
	FileStatus,
	'gone' | 'isSkipped' | 'problem'
>;

/** What is wrong with the hooks of the clients on this machine, and the titles of those that have hooks. */
export function checkInstalledHooks(machine: Machine) {
	const problems: HookProblem[] = [];
	const installed = new Set<string>();
	for (const client of clients.filter(one => isFound(one, machine)))
		for (const file of allSettingsFiles(client, machine)) {
			const {path, present, gone, isSkipped, problem} = fileStatus(file, undefined);
			if (present.length > 0) installed.add(client.title);
			const isBroken = gone.length > 0 || (isSkipped && present.length > 0) || problem !== undefined;
			if (isBroken && !file.isShadowed) problems.push({title: client.title, path, gone, isSkipped, problem});
		}
	return {installed: [...installed], problems};
}
