import {existsSync, rmSync} from 'node:fs';
import {ifPossible} from '../domain/if-possible.ts';
import {clients} from './clients.ts';
import {ourEntries} from './our-entries.ts';
import {readSettingsFile} from './read-settings.ts';
import {allSettingsFiles, type Machine, type SettingsFile} from './settings-files.ts';

/** Whether a settings file has handlers of ours. True also if it can't be read: it may have them. */
export function hasOurs({path, isBare}: SettingsFile): boolean {
	return ifPossible(() => ourEntries(readSettingsFile(path).text, isBare).length > 0) ?? true;
}

/** Removes the launcher once no client's settings have handlers of ours. Returns whether it did. */
export function removeUnusedLauncher(launcher: string, machine: Machine): boolean {
	const isUsed = clients.some(client => allSettingsFiles(client, machine).some(hasOurs));
	if (isUsed || !existsSync(launcher)) return false;
	rmSync(launcher, {force: true});
	return true;
}
