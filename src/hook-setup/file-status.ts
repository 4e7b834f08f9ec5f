import type {Client} from './clients.ts';
import {type HookOptions, readHookCommand, wantedHandlers} from './hook-command.ts';
import {hasComments, JsonTextError} from './json-text.ts';
import {isCurrent, missingFiles, type Program} from './launcher.ts';
import {type OurEntry, ourEntries} from './our-entries.ts';
import {readSettingsFile, SettingsFileError} from './read-settings.ts';
import type {SettingsFile} from './settings-files.ts';

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
		/** Events narrowed by a matcher set by hand. */
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
