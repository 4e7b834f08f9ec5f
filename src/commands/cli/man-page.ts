import type {Flag} from './command.ts';
import {globalFlags, screenFlags} from './flags.ts';
import {exitCodeText, flagRows, sentence} from './help.ts';
import {commands} from './table.ts';
import {topics} from './topics.ts';

/** The man page in roff, generated from the command table. */
export function manPage(version: string): string {
	return [
		`.TH QUARTERDECK 1 "" "quarterdeck ${version}"`,
		'.SH NAME',
		escapeRoff('quarterdeck, qd - terminal UI and commands for live agent-session work'),
		'.SH SYNOPSIS',
		...['[FLAGS]', 'COMMAND [FLAGS]'].flatMap(rest => ['.B quarterdeck', escapeRoff(rest), '.br']),
		'.SH DESCRIPTION',
		escapeRoff(
			'Without a command it opens the screen. With a command it runs that and exits: stdout is data, stderr is errors and, on a terminal, progress. Arguments after -- are text, never flags.',
		),
		'.SH COMMANDS',
		...commands.flatMap(command => [
			`.SS ${escapeRoff([command.path, ...command.args].join(' '))}`,
			escapeRoff(sentence(command.about)),
			...(command.detail ? [escapeRoff(command.detail)] : []),
			...flagList(command.flags),
			...exampleList(command.examples ?? []),
		]),
		'.SH SCREEN FLAGS',
		...flagList(screenFlags),
		'.SH GLOBAL FLAGS',
		...flagList(globalFlags),
		'.SH EXIT STATUS',
		...exitCodeText.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, escapeRoff(`${meaning}.`)]),
		'.SH SEE ALSO',
		escapeRoff(
			Object.keys(topics)
				.map(topic => `quarterdeck-${topic}(7)`)
				.join(', '),
		),
		'',
	].join('\n');
}

function exampleList(lines: readonly string[]): string[] {
	if (lines.length === 0) return [];
	return [
		'.PP',
		'Examples:',
		'.RS',
		'.nf',
		...lines.map(line => escapeRoff(`quarterdeck ${line}`)),
		'.fi',
		'.RE',
	];
}

function flagList(flags: readonly Flag[]): string[] {
	return flagRows(flags).flatMap(([form, about]) => [
		'.TP',
		`.B ${escapeRoff(form)}`,
		escapeRoff(`${about}.`),
	]);
}

export function escapeRoff(words: string): string {
	const escaped = words
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replaceAll("'", '\\(aq')
		.replaceAll(
			/[^\n -~]/gu,
			character => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
		);
	return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
