import {join} from 'node:path';
import {findNodeAtLocation} from 'jsonc-parser';
import {ifPossible} from '../domain/if-possible.ts';
import {type Client, type OffSwitch, scopes} from './clients.ts';
import {isBlank, parseJsonText} from './json-text.ts';
import {readSettingsFile} from './read-settings.ts';
import {allSettingsFiles, type Machine, settingsFolder} from './settings-files.ts';

/** A setting that disables hooks: `name` is its key path. */
export type TurnedOff = {readonly file: string; readonly name: string};

/**
 * Finds settings that disable hooks in any of a client's files, or in `more`. Skips unreadable files, which
 * are reported elsewhere.
 */
export function findTurnedOff(client: Client, machine: Machine, more: readonly string[] = []): TurnedOff[] {
	const files = new Set([...allSettingsFiles(client, machine).map(({path}) => path), ...more]);
	const managed = client.managedFiles?.[process.platform];
	const everywhere = [...files, ...(managed ? [managed] : [])].flatMap(file =>
		switchesIn(file, client.offSwitches),
	);
	return [
		...everywhere,
		...(managed ? switchesIn(managed, client.managedSwitches ?? []) : []),
		...switchesInToml(client, machine),
	];
}

function switchesIn(file: string, switches: readonly OffSwitch[]): TurnedOff[] {
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

/** Parses just enough TOML: plain keys of one section, and dotted keys that start with the section's name. */
function switchesInToml({tomlSwitches, ...client}: Client, machine: Machine): TurnedOff[] {
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
	return ifPossible(() => readSettingsFile(file).text);
}
