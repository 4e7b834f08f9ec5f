import type {Flag} from './command.ts';
import {globalFlags, screenFlags} from './flags.ts';
import {exitCodeText, flagRows} from './help.ts';
import {commands} from './table.ts';

/** The man page in roff, generated from the command table. */
export function manPage(version: string): string {
	return [
		`.TH QUARTERDECK 1 "" "quarterdeck ${version}"`,
		'.SH NAME',
		text('quarterdeck, qd - terminal UI and commands for live agent-session work'),
		'.SH SYNOPSIS',
		...['[FLAGS]', 'COMMAND [FLAGS]'].flatMap(rest => ['.B quarterdeck', text(rest), '.br']),
		'.SH DESCRIPTION',
		text(
			'Without a command it opens the screen. With a command it runs that and exits: stdout is data, stderr is errors and, on a terminal, progress. Arguments after -- are text, never flags.',
		),
		'.SH COMMANDS',
		...commands.flatMap(command => [
			`.SS ${text([command.path, ...command.args].join(' '))}`,
			text(`${command.about.charAt(0).toUpperCase()}${command.about.slice(1)}.`),
			...(command.detail ? [text(command.detail)] : []),
			...flagList(command.flags),
			...exampleList(command.examples ?? []),
		]),
		'.SH SCREEN FLAGS',
		...flagList(screenFlags),
		'.SH GLOBAL FLAGS',
		...flagList(globalFlags),
		'.SH EXIT STATUS',
		...exitCodeText.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, text(`${meaning}.`)]),
		'.SH ENVIRONMENT',
		...environment.flatMap(([name, meaning]) => ['.TP', `.B ${name}`, text(meaning)]),
		'.SH FILES',
		...files.flatMap(([name, meaning]) => ['.TP', `.I ${text(name)}`, text(meaning)]),
		'',
	].join('\n');
}

const environment = [
	['QUARTERDECK_API_KEY', 'the key of the service'],
	['QUARTERDECK_BASE_URL', 'base address of the service'],
	['QUARTERDECK_APP_URL', 'address of readiness reports, if it differs'],
	['QUARTERDECK_PROFILE', 'profile to use'],
	['QUARTERDECK_THEME', 'theme of the screen'],
	['QUARTERDECK_DEBUG', 'level of the debug log: debug, info, warn or error'],
	['INK_SCREEN_READER', 'true: screen-reader layout'],
	['NO_COLOR', 'no colors, unless a theme is chosen'],
] as const;

const files = [
	['$XDG_CONFIG_HOME/quarterdeck/config.json', 'configuration'],
	['$XDG_STATE_HOME/quarterdeck/', 'saved data'],
] as const;

function exampleList(lines: readonly string[]): string[] {
	if (lines.length === 0) return [];
	return ['.PP', 'Examples:', '.RS', '.nf', ...lines.map(line => text(`quarterdeck ${line}`)), '.fi', '.RE'];
}

function flagList(flags: readonly Flag[]): string[] {
	return flagRows(flags).flatMap(([form, about]) => ['.TP', `.B ${text(form)}`, text(`${about}.`)]);
}

/** A text line, escaped so that roff sees no request or escape in it. */
function text(words: string): string {
	const escaped = words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq');
	return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
