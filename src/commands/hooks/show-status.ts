import type {FileStatus} from '../../hook-setup/file-status.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {age} from '../../text/values/times.ts';
import type {Output} from '../output/output.ts';
import {type OutputColumn, printTable} from '../output/print-rows.ts';
import type {ClientStatus, HooksStatus} from './status.ts';

/**
 * Prints the status: a table of the files, then what applies to all of them, then what can't be determined.
 */
export function showStatus(
	output: Output,
	{clients, listeners, spool, lastEvents}: HooksStatus,
	now: number,
): void {
	const files = clients.flatMap(({client, files: own}) => own.map(file => ({client, ...file})));
	const shown = files.filter(({isThere, scope}) => isThere || scope === 'user');
	printTable(output, columns, shown);
	output.line(safe``);
	for (const one of clients) for (const line of remarks(one)) output.line(cleanLine(line));
	const live = listeners.filter(({isLive}) => isLive).map(({pid}) => pid);
	const dead = listeners.length - live.length;
	output.line(
		cleanLine(
			`programs listening: ${live.length > 0 ? `process ${live.join(', ')}` : 'none'}${dead > 0 ? `; sockets left behind: ${dead}` : ''}`,
		),
	);
	const events = spool.reduce((sum, folder) => sum + folder.files, 0);
	const bytes = spool.reduce((sum, folder) => sum + folder.bytes, 0);
	output.line(safe`waiting in the spool: ${events} events, ${byteSize(bytes)}`);
	for (const {client, event, at} of lastEvents ?? [])
		output.line(
			safe`last event of ${cleanLine(client || 'an unnamed client')}: ${cleanLine(event || '-')}, ${age(now - at)} ago`,
		);
	for (const {client} of clients)
		for (const unknown of client.unknown)
			output.line(safe`${cleanLine(client.title)}: can't detect ${cleanLine(unknown)}`);
}

const columns: readonly OutputColumn<FileStatus & Pick<ClientStatus, 'client'>>[] = [
	{name: 'client', show: ({client}) => cleanLine(client.name)},
	{name: 'scope', show: ({scope}) => cleanLine(scope ?? '-')},
	{name: 'file', show: ({path}) => cleanLine(path)},
	{name: 'state', show: file => cleanLine(words(file))},
];

function words(file: FileStatus): string {
	if (file.problem !== undefined) return `can't be read: ${file.problem}`;
	if (file.present.length === 0) {
		if (!file.isThere) return 'no file';
		return file.isShadowed ? 'ignored: another file takes precedence' : 'not installed';
	}
	const wrong = [
		file.isShadowed ? 'installed, but another file takes precedence' : '',
		list('stale', file.stale),
		list('missing', file.missing),
		list('twice', file.duplicate),
		list('gone', file.gone),
	].filter(part => part !== '');
	const state = wrong.length > 0 ? `${wrong.join('; ')}: run quarterdeck hooks install` : 'installed';
	return file.narrowed.length > 0 ? `${state}; a matcher narrows ${file.narrowed.join(', ')}` : state;
}

function list(word: string, events: readonly string[]): string {
	return events.length > 0 ? `${word} ${events.join(', ')}` : '';
}

function remarks({client, duplicate, turnedOff}: ClientStatus): string[] {
	return [
		...turnedOff.map(({file, name}) => `${client.title} has hooks turned off: ${name} in ${file}`),
		...(duplicate.length > 0
			? [`${client.title} runs our hook more than once, from several files: ${duplicate.join(', ')}`]
			: []),
	];
}
