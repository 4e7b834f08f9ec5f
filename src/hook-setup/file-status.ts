import {existsSync} from 'node:fs';
import type {Client} from './clients.ts';
import {type Program, readHookCommand, wantedHandlers} from './hook-command.ts';
import {JsonTextError} from './json-text.ts';
import type {OurEntry} from './our-entries.ts';
import {ourEntries} from './plan-change.ts';
import {readSettingsFile} from './read-settings.ts';
import {SettingsFileError} from './settings-error.ts';
import type {SettingsFile} from './settings-files.ts';

/** Our handlers in one settings file. Events have the client's names. */
export type FileStatus = {
	readonly path: string;
	readonly scope: SettingsFile['scope'];
	readonly isThere: boolean;
	/** Our distinct commands in the file. */
	readonly commands: readonly string[];
	/** Events that have one of our handlers. */
	readonly present: readonly string[];
	/** Events that an install would add; empty if the file has none of our handlers. */
	readonly missing: readonly string[];
	/** Events whose handler an install would change: from another release or path, or edited by hand. */
	readonly stale: readonly string[];
	/** Events with more than one of our handlers, which run more than once. */
	readonly duplicate: readonly string[];
	/** Events narrowed by a matcher set by hand. */
	readonly narrowed: readonly string[];
	/** How long a permission prompt waits for an answer here, s; absent if it is answered only in the client. */
	readonly answerSeconds?: number;
	/** Missing files that an installed command needs; without them it does nothing. */
	readonly gone: readonly string[];
	/** The client reads its hooks from another file of this scope. */
	readonly isShadowed: boolean;
	/** Why the file can't be read. */
	readonly problem?: string;
};

/** Inspects one settings file. `program` is the running one; without it nothing counts as stale. */
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
	const answering = entries.find(({event}) => event === client.answerEvent);
	const {waitSeconds} = readHookCommand(answering?.command ?? '') ?? {};
	return {
		commands: [...new Set(entries.map(({command}) => command))],
		present,
		missing: client.events.filter(event => !present.includes(event)),
		stale: eventsWhere(entry => program !== undefined && isStale(entry, client, program)),
		duplicate: present.filter(event => entries.filter(entry => entry.event === event).length > 1),
		narrowed: eventsWhere(({matcher}) => matcher !== undefined && matcher !== '' && matcher !== '*'),
		...(waitSeconds !== undefined && {answerSeconds: waitSeconds}),
		gone: [...new Set(paths)].filter(path => !existsSync(path)),
	};
}

/** An option the user chose doesn't count as a difference. */
function isStale(entry: OurEntry, client: SettingsFile['client'], program: Program): boolean {
	const {hasLastMessage, waitSeconds} = readHookCommand(entry.command) ?? {};
	const wanted = wantedHandlers(client, program, {
		...(hasLastMessage && {hasLastMessage}),
		...(waitSeconds !== undefined && {waitSeconds}),
	}).find(({event}) => event === entry.event);
	return entry.command !== wanted?.command || entry.timeout?.value !== wanted.timeout;
}

/** Events that have our handlers in several files, all of which run. */
export function acrossFiles({runsSameOnce}: Client, files: readonly FileStatus[]): string[] {
	const read = files.filter(({isShadowed}) => !isShadowed);
	if (runsSameOnce && new Set(read.flatMap(({commands}) => commands)).size < 2) return [];
	const events = read.flatMap(({present}) => present);
	return [...new Set(events.filter((event, index) => events.indexOf(event) < index))];
}
