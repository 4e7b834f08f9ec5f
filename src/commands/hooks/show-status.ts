import {clientNames} from '../../hook-setup/clients.ts';
import type {FileStatus} from '../../hook-setup/installed.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {age} from '../../text/values/times.ts';
import type {Output} from '../output/output.ts';
import {type OutputColumn, printTable} from '../output/print-rows.ts';
import type {ClientStatus, HooksStatus} from './status.ts';
import {strings} from './strings.ts';

const {status: text} = strings;

/** Prints the status: a table of the files, then notes on all of them, then what can't be determined. */
export function showStatus(
	output: Output,
	{clients, listeners, spool, lastEvents}: HooksStatus,
	now: number,
): void {
	const files = clients.flatMap(({client, files: own}) => own.map(file => ({client, ...file})));
	const shown = files.filter(({exists, scope}) => exists || scope === 'user');
	const print = (line: string) => output.line(cleanLine(line));
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
