import {currentEnvironment} from '../../../hooks/runtime-folder.ts';
import {type Client, clientNames, isFound} from '../../hook-setup/clients.ts';
import {
	acrossFiles,
	type FileStatus,
	fileStatus,
	findTurnedOff,
	type TurnedOff,
} from '../../hook-setup/installed.ts';
import {HookMissingError, type Program} from '../../hook-setup/launcher.ts';
import {findListeners, type Listener, type SpoolSize, spoolSizes} from '../../hook-setup/listeners.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {age} from '../../text/values/times.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes} from '../cli/errors.ts';
import type {Output} from '../output/output.ts';
import {type OutputColumn, printTable} from '../output/print-rows.ts';
import {filesToInspect, thisMachine, thisProgram} from './chosen-files.ts';
import {strings} from './strings.ts';

/** The newest event of one client. `at` is Unix ms. */
type LastEvent = {readonly client: string; readonly event: string; readonly at: number};

/** How many events to look back through. */
const maxEvents = 5000;

/** The newest event of each client among those saved by this profile, newest first. Includes test events. */
async function lastEvents({wiring, output}: CommandContext): Promise<LastEvent[] | undefined> {
	try {
		const database = await (await wiring()).database();
		const found = new Map<string, LastEvent>();
		for (const {client, event, ts} of database.events.recent(maxEvents))
			if (!found.has(client)) found.set(client, {client, event, at: ts});
		return [...found.values()];
	} catch (error) {
		output.note(strings.status.unreadableEvents((error as Error).message));
		return undefined;
	}
}

export type ClientStatus = {
	readonly client: Client;
	readonly files: readonly FileStatus[];
	/** Events that run handlers from several files. */
	readonly duplicate: readonly string[];
	readonly turnedOff: readonly TurnedOff[];
};

export type HooksStatus = {
	readonly clients: readonly ClientStatus[];
	readonly listeners: readonly Listener[];
	readonly spool: readonly SpoolSize[];
	/** Undefined when saved events can't be read. */
	readonly lastEvents: readonly LastEvent[] | undefined;
};

/** Reports what is installed and whether it works. Returns 1 when an installed hook needs attention. */
export async function status(context: CommandContext): Promise<ExitCode> {
	const {output, clock, flags} = context;
	const isNamed = flags.list('client').length > 0 || flags.text('settings') !== undefined;
	const program = programIfInstalled(context);
	const machine = thisMachine(context);
	const all = filesToInspect(context).map(({client, files}): ClientStatus => {
		const states = files.map(file => fileStatus(file, program));
		const paths = files.map(({path}) => path);
		return {
			client,
			files: states,
			duplicate: acrossFiles(client, states),
			turnedOff: findTurnedOff(client, machine, paths),
		};
	});
	const environment = currentEnvironment();
	const found: HooksStatus = {
		clients: all.filter(
			({client, files}) =>
				isNamed || isFound(client, machine) || files.some(({present}) => present.length > 0),
		),
		listeners: await findListeners(environment),
		spool: spoolSizes(environment),
		lastEvents: await lastEvents(context),
	};
	if (output.isJson) output.json(statusJson(found));
	else showStatus(output, found, clock.now());
	return found.clients.some(needsAttention) ? exitCodes.refused : exitCodes.done;
}

/**
 * The running program, or undefined when its hook is missing: then nothing counts as stale, but the rest is
 * still reported.
 */
function programIfInstalled(context: CommandContext): Program | undefined {
	try {
		return thisProgram(context);
	} catch (error) {
		if (!(error instanceof HookMissingError)) throw error;
		context.output.note(error.message);
		return undefined;
	}
}

function needsAttention({files, duplicate, turnedOff}: ClientStatus): boolean {
	const ours = files.filter(({present}) => present.length > 0);
	const isBroken = ours.some(
		file =>
			file.isShadowed ||
			file.isSkipped ||
			[file.missing, file.stale, file.duplicate, file.gone].some(events => events.length > 0),
	);
	return isBroken || (ours.length > 0 && (duplicate.length > 0 || turnedOff.length > 0));
}

function statusJson({clients: all, ...found}: HooksStatus): unknown {
	const named = all.map(({client, ...one}) => ({client: client.name, ...one, unknown: client.unknown}));
	return {clients: named, ...found};
}

const {status: text} = strings;

/** Prints the status: a table of the files, then notes on all of them, then what can't be determined. */
export function showStatus(
	output: Output,
	{clients, listeners, spool, lastEvents}: HooksStatus,
	now: number,
): void {
	const files = clients.flatMap(({client, files: own}) => own.map(file => ({client, ...file})));
	const shown = files.filter(({exists, scope}) => exists || scope === 'user');
	const print = (line: string) => output.text(cleanLine(line));
	if (shown.length > 0) {
		printTable(output, columns, shown);
		output.line(safe``);
	} else print(text.noClients(clientNames.join('|')));
	for (const one of clients) for (const line of remarks(one)) print(line);
	const live = listeners.filter(({isLive}) => isLive).map(({pid}) => pid);
	const dead = listeners.length - live.length;
	const listening = text.listening(live.length > 0 ? text.process(live.join(', ')) : text.none);
	print(dead > 0 ? listening + text.leftSockets(dead) : listening);
	const events = spool.reduce((sum, folder) => sum + folder.files, 0);
	const bytes = spool.reduce((sum, folder) => sum + folder.bytes, 0);
	print(text.spool(events, byteSize(bytes)));
	for (const {client, event, at} of lastEvents ?? [])
		print(text.lastEvent(client || text.unnamedClient, event || '-', age(now - at)));
	for (const {client} of clients)
		for (const unknown of client.unknown) print(text.undetectable(client.title, unknown));
}

const columns: readonly OutputColumn<FileStatus & Pick<ClientStatus, 'client'>>[] = [
	{name: 'client', show: ({client}) => cleanLine(client.name)},
	{name: 'scope', show: ({scope}) => cleanLine(scope ?? '-')},
	{name: 'file', show: ({path}) => cleanLine(path)},
	{name: 'state', show: file => cleanLine(stateText(file))},
];

function stateText(file: FileStatus): string {
	if (file.problem !== undefined) return text.unreadable(file.problem);
	if (file.present.length === 0) {
		if (!file.exists) return text.noFile;
		return file.isShadowed ? text.ignored : text.notInstalled;
	}
	const faults = [
		...(file.isShadowed ? [text.overridden] : []),
		...sentenceFor(text.stale, file.stale),
		...sentenceFor(text.missing, file.missing),
		...sentenceFor(text.duplicate, file.duplicate),
		...sentenceFor(text.gone, file.gone),
	];
	const state =
		faults.length > 0
			? text.install(faults.join('; '), file.answerSeconds === undefined ? '' : ' --answer')
			: text.installed;
	return file.narrowed.length > 0 ? text.narrowed(state, file.narrowed.join(', ')) : state;
}

/** A sentence on whether permission prompts of a client with hooks can be answered here. */
function answerRemarks({answerEvent, title}: ClientStatus['client'], files: readonly FileStatus[]): string[] {
	const read = files.filter(({isShadowed, present}) => !isShadowed && present.length > 0);
	if (answerEvent === undefined || read.length === 0) return [];
	const seconds = read.find(({answerSeconds}) => answerSeconds !== undefined)?.answerSeconds;
	return [seconds === undefined ? text.answersOff(title) : text.answers(title, Math.round(seconds / 60))];
}

function sentenceFor(sentence: (events: string) => string, events: readonly string[]): string[] {
	return events.length > 0 ? [sentence(events.join(', '))] : [];
}

function remarks({client, files, duplicate, turnedOff}: ClientStatus): string[] {
	return [
		...answerRemarks(client, files),
		...files.filter(({isSkipped}) => isSkipped).map(({path}) => strings.skipped(client.title, path)),
		...turnedOff.map(({file, name}) => strings.turnedOff(client.title, name, file)),
		...sentenceFor(events => text.repeated(client.title, events), duplicate),
	];
}
