import {existsSync} from 'node:fs';
import type {Client} from './clients.ts';
import {readHookCommand} from './hook-command.ts';
import {JsonTextError} from './json-text.ts';
import type {OurEntry} from './our-entries.ts';
import {ourEntries} from './plan-change.ts';
import {readSettingsFile} from './read-settings.ts';
import {SettingsFileError} from './settings-error.ts';
import type {SettingsFile} from './settings-files.ts';
import {type Program, wantedHandlers} from './wanted-handlers.ts';

/** What one settings file holds of ours. Events are named as the client names them. */
export type FileStatus = {
	readonly path: string;
	readonly scope: SettingsFile['scope'];
	readonly isThere: boolean;
	/** Our commands in it, each once. */
	readonly commands: readonly string[];
	/** Events with a handler of ours. */
	readonly present: readonly string[];
	/** Events that an install would add; none in a file that has nothing of ours. */
	readonly missing: readonly string[];
	/** Events whose handler an install would change: of another release, of another place, or changed by hand. */
	readonly stale: readonly string[];
	/** Events with more than one handler of ours, which run more than once. */
	readonly duplicate: readonly string[];
	/** Events that a matcher, set by hand, narrows. */
	readonly narrowed: readonly string[];
	/** Files that an installed command runs and that are gone: it does nothing then. */
	readonly gone: readonly string[];
	/** The client reads its hooks from another file of this scope. */
	readonly isShadowed: boolean;
	/** Why it can't be read. */
	readonly problem?: string;
};

/** Looks into one settings file. `program` is the one that runs now; without it nothing counts as stale. */
export function fileStatus(file: SettingsFile, program: Program | undefined): FileStatus {
	const {path, scope, isShadowed} = file;
	const nothing = {commands: [], present: [], missing: [], stale: [], duplicate: [], narrowed: [], gone: []};
	try {
		const {text} = readSettingsFile(path);
		const entries = ourEntries(text, file.isBare);
		return {
			path,
			scope,
			isShadowed,
			isThere: text !== undefined,
			...nothing,
			...(entries.length > 0 && judge(file, entries, program)),
		};
	} catch (error) {
		if (!(error instanceof JsonTextError) && !(error instanceof SettingsFileError)) throw error;
		return {path, scope, isShadowed, isThere: true, ...nothing, problem: error.message};
	}
}

function judge({client}: SettingsFile, entries: readonly OurEntry[], program: Program | undefined) {
	const present = [...new Set(entries.map(({event}) => event))];
	const eventsWhere = (test: (entry: OurEntry) => boolean) => [
		...new Set(entries.filter(test).map(({event}) => event)),
	];
	const paths = entries.flatMap(({command}) => {
		const read = readHookCommand(command);
		return read ? [read.node, read.hook] : [];
	});
	return {
		commands: [...new Set(entries.map(({command}) => command))],
		present,
		missing: client.events.filter(event => !present.includes(event)),
		stale: eventsWhere(entry => program !== undefined && isStale(entry, client, program)),
		duplicate: present.filter(event => entries.filter(entry => entry.event === event).length > 1),
		narrowed: eventsWhere(({matcher}) => matcher !== undefined && matcher !== '' && matcher !== '*'),
		gone: [...new Set(paths)].filter(path => !existsSync(path)),
	};
}

/** An option that the user chose is no difference. */
function isStale(entry: OurEntry, client: SettingsFile['client'], program: Program): boolean {
	const hasLastMessage = readHookCommand(entry.command)?.hasLastMessage ?? false;
	const wanted = wantedHandlers(client, program, hasLastMessage).find(({event}) => event === entry.event);
	return entry.command !== wanted?.command || entry.timeout?.value !== wanted.timeout;
}

/** Events for which handlers of ours in several files all run. */
export function acrossFiles({runsSameOnce}: Client, files: readonly FileStatus[]): string[] {
	const read = files.filter(({isShadowed}) => !isShadowed);
	if (runsSameOnce && new Set(read.flatMap(({commands}) => commands)).size < 2) return [];
	const events = read.flatMap(({present}) => present);
	return [...new Set(events.filter((event, index) => events.indexOf(event) < index))];
}
