import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {findNodeAtLocation} from 'jsonc-parser';
import {ifPossible} from '../domain/if-possible.ts';
import {
	allSettingsFiles,
	type Client,
	clients,
	isFound,
	type Machine,
	type OffSwitch,
	type SettingsFile,
	scopes,
	settingsFolder,
} from './clients.ts';
import {type HookOptions, readHookCommand, wantedHandlers} from './hook-command.ts';
import {isCurrent, missingFiles, type Program} from './launcher.ts';
import {readSettingsFile, SettingsFileError} from './settings-file.ts';
import {
	hasComments,
	isBlank,
	JsonTextError,
	type OurEntry,
	ourEntries,
	parseJsonText,
} from './settings-text.ts';

export type FileStatus = ReturnType<typeof fileStatus>;

/** Inspects one settings file. `program` is the running one; without it nothing counts as stale. */
export function fileStatus(file: SettingsFile, program: Program | undefined) {
	const {path, scope, isShadowed} = file;
	const {entries, ...found} = readEntries(file);
	return {path, scope, isShadowed, ...found, ...describe(file, entries, program)};
}

/** What the user chose when they installed the hooks that the file has. */
export function chosenOptions(file: SettingsFile): HookOptions {
	return optionsOf(readEntries(file).entries);
}

function optionsOf(entries: readonly OurEntry[]): HookOptions {
	const commands = entries.map(({command}) => readHookCommand(command));
	const waitSeconds = commands.find(command => command?.waitSeconds !== undefined)?.waitSeconds;
	const hasLastMessage = commands.some(command => command?.hasLastMessage);
	return {hasLastMessage, waitSeconds};
}

/** `isSkipped`: the client can't read the file, because of its comments. `problem`: why we can't read it. */
function readEntries({path, isBare, client}: SettingsFile) {
	try {
		const {text} = readSettingsFile(path);
		const isSkipped = client.skipsComments === true && text !== undefined && hasComments(text);
		return {exists: text !== undefined, isSkipped, entries: ourEntries(text, isBare)};
	} catch (error) {
		if (!(error instanceof JsonTextError) && !(error instanceof SettingsFileError)) throw error;
		return {exists: true, isSkipped: false, entries: [], problem: error.message};
	}
}

/** Events have the client's names. */
function describe({client}: SettingsFile, entries: readonly OurEntry[], program: Program | undefined) {
	const eventsWhere = (test: (entry: OurEntry) => boolean) => [
		...new Set(entries.filter(test).map(({event}) => event)),
	];
	const present = eventsWhere(() => true);
	const launchers = new Set(entries.flatMap(({command}) => readHookCommand(command)?.launcher ?? []));
	const {waitSeconds} = optionsOf(entries);
	return {
		commands: [...new Set(entries.map(({command}) => command))],
		present,
		/** Events that an install would add; empty if the file has none of our handlers. */
		missing: entries.length > 0 ? client.events.filter(event => !present.includes(event)) : [],
		/** Events whose handler or launcher an install would change: from another release or path, or edited by hand. */
		stale: eventsWhere(entry => program !== undefined && isStale(entry, client, program)),
		/** Events with more than one of our handlers, which run more than once. */
		duplicate: present.filter(event => entries.filter(entry => entry.event === event).length > 1),
		narrowed: eventsWhere(({matcher}) => matcher !== undefined && matcher !== '' && matcher !== '*'),
		/** How long a permission prompt waits for an answer here, s; absent if it is answered only in the client. */
		answerSeconds: waitSeconds,
		/** Missing files that an installed command needs; without them it does nothing. */
		gone: [...launchers].flatMap(missingFiles),
	};
}

/** An option the user chose doesn't count as a difference. */
function isStale(entry: OurEntry, client: SettingsFile['client'], program: Program): boolean {
	const wanted = wantedHandlers(client, program.launcher, optionsOf([entry])).find(
		({event}) => event === entry.event,
	);
	const isSame = entry.command === wanted?.command && entry.timeout === wanted.timeout;
	return !isSame || !isCurrent(program);
}

/** Events that have our handlers in several files, all of which run. */
export function acrossFiles({runsSameOnce}: Client, files: readonly FileStatus[]): string[] {
	const read = files.filter(({isShadowed}) => !isShadowed);
	if (runsSameOnce && new Set(read.flatMap(({commands}) => commands)).size < 2) return [];
	const events = read.flatMap(({present}) => present);
	return [...new Set(events.filter((event, index) => events.indexOf(event) < index))];
}

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
