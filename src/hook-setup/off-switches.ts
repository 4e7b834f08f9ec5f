import {join} from 'node:path';
import {findNodeAtLocation} from 'jsonc-parser';
import {type Client, type OffSwitch, scopes} from './clients.ts';
import {isBlank, parseJsonText} from './json-text.ts';
import {readSettingsFile} from './read-settings.ts';
import {allSettingsFiles, type Machine, settingsFolder} from './settings-files.ts';

/** A setting that is turned so that no hook runs: `name` is its path of keys. */
export type TurnedOff = {readonly file: string; readonly name: string};

/** The off switches that are turned in any of a client's files, or in `more`. Files that can't be read are told elsewhere. */
export function findTurnedOff(client: Client, machine: Machine, more: readonly string[] = []): TurnedOff[] {
	const files = new Set([...allSettingsFiles(client, machine).map(({path}) => path), ...more]);
	const managed = client.managedFiles?.[process.platform];
	const own = [...files, ...(managed ? [managed] : [])].flatMap(file => turnedIn(file, client.offSwitches));
	return [
		...own,
		...(managed ? turnedIn(managed, client.managedSwitches ?? []) : []),
		...turnedInToml(client, machine),
	];
}

function turnedIn(file: string, switches: readonly OffSwitch[]): TurnedOff[] {
	const text = readQuietly(file);
	if (text === undefined || isBlank(text)) return [];
	try {
		const root = parseJsonText(text);
		return switches
			.filter(({keys, value}) => findNodeAtLocation(root, [...keys])?.value === value)
			.map(({keys}) => ({file, name: keys.join('.')}));
	} catch {
		return [];
	}
}

/** Reads just enough of TOML: plain keys of one section, and the same keys written with the section's name. */
function turnedInToml({tomlSwitches, ...client}: Client, machine: Machine): TurnedOff[] {
	if (!tomlSwitches) return [];
	const {file: name, section, keys} = tomlSwitches;
	const folders = new Set(scopes.map(scope => settingsFolder(client, scope, machine)));
	return [...folders].flatMap(folder => {
		const file = join(folder, name);
		let current = '';
		return (readQuietly(file) ?? '').split(/\r?\n/).flatMap(line => {
			current = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1] ?? current;
			const key = /^\s*([\w.]+)\s*=\s*false\b/.exec(line)?.[1];
			const path = key && current ? `${current}.${key}` : key;
			return keys.some(one => path === `${section}.${one}`) ? [{file, name: path ?? ''}] : [];
		});
	});
}

function readQuietly(file: string): string | undefined {
	try {
		return readSettingsFile(file).text;
	} catch {
		return undefined;
	}
}
