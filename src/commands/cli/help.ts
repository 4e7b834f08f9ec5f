import {ownProgram} from '../../domain/own-program.ts';
import {wrapLines} from '../output/wrap-lines.ts';
import type {Command, Flag} from './command.ts';
import {globalFlags, screenFlags} from './flags.ts';
import {cliStrings} from './strings.ts';
import {commands} from './table.ts';
import {topics} from './topics.ts';

/**
 * The help that a command line with `--help` asks for, for a terminal of so many columns if it is printed there;
 * undefined if its words name no command.
 */
export function helpFor(argv: readonly string[], columns?: number): string | undefined {
	const words = leadingWords(argv);
	const isGroup = words.length === 1 && inGroup(words[0] ?? '').length > 0;
	if (words.length > 0 && !isGroup && !findCommand(words)) return undefined;
	return columns ? wrapLines(helpText(words), columns) : helpText(words);
}

/** The help of the whole program, of a group such as `computers`, or of one command. Ends with a newline. */
export function helpText(words: readonly string[]): string {
	const command = findCommand(words);
	if (command) return commandHelp(command);
	const group = inGroup(words[0] ?? '');
	if (group.length > 0) return `${commandList(group)}\n${section('Everywhere', globalFlags)}`;
	return [
		'Usage: quarterdeck [FLAGS]            open the screen',
		'       quarterdeck COMMAND [FLAGS]    run one command, for scripts',
		'',
		section('Screen', screenFlags),
		'Commands (quarterdeck COMMAND --help explains one and its flags):',
		commandList(commands.filter(({isInternal}) => !isInternal)),
		'Topics, each explained by quarterdeck help TOPIC:',
		rows(Object.entries(topics)),
		section('Everywhere', globalFlags),
		'Exit codes:',
		...exitCodeText.map(([code, meaning]) => `  ${String(code).padStart(3)} ${meaning}`),
		'',
	].join('\n');
}

/** The commands whose first word it is. */
export function inGroup(word: string): readonly Command[] {
	return commands.filter(({path}) => path.split(' ')[0] === word);
}

export const exitCodeText: readonly (readonly [code: number, meaning: string])[] = [
	[0, 'done'],
	[1, 'failed or incomplete: the service refused, or a file or stdout could not be used'],
	[2, 'wrong usage, or no service is set up: nothing was sent'],
	[3, 'not authorized'],
	[4, 'not found: no such id, or no matches'],
	[5, 'outcome unknown'],
	[6, 'queued, not sent yet'],
	[7, "the agent is probably done: it is silent, and the service can't be asked"],
	[124, '--timeout or --wait-timeout expired'],
	[130, 'interrupted'],
];

export function findCommand(words: readonly string[]): Command | undefined {
	return commands.find(({path}) => path.split(' ').every((word, index) => words[index] === word));
}

export function usage({path, args, flags}: Command): string {
	const shown = flags.map(flag => {
		const forms = [flagForm(flag), ...negatedForm(flag)].join(' | ');
		return `${flag.isRequired ? forms : `[${forms}]`}${flag.isRepeated ? '...' : ''}`;
	});
	return [ownProgram, path, ...args, ...shown].join(' ');
}

export function commandList(list: readonly Command[]): string {
	return rows(list.map(({path, args, about}) => [[path, ...args].join(' '), about]));
}

export function flagRows(flags: readonly Flag[]): (readonly [form: string, about: string])[] {
	return flags.flatMap(flag => [
		[flagForm(flag), flag.about] as const,
		...negatedForm(flag).map(form => [form, flag.aboutNegated ?? ''] as const),
	]);
}

export function sentence(text: string): string {
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The error for words that name no command; suggests valid ones. */
export async function unknownCommand(words: readonly string[]): Promise<string> {
	const {nearest} = await import('../../domain/nearest.ts');
	const [group = '', verb = ''] = words;
	const verbs = commands.flatMap(({path}) =>
		path.startsWith(`${group} `) ? (path.split(' ')[1] ?? []) : [],
	);
	if (verbs.length > 0) {
		const meant = nearest(verb, verbs);
		return cliStrings.usage.needsVerb(group, verbs.join(', '), meant && `${group} ${meant}`);
	}
	const meant = nearest(group, new Set(commands.map(({path}) => path.split(' ')[0] ?? '')));
	return cliStrings.usage.unknownCommand(group, meant);
}

/**
 * The leading words of a command line that may name a command, without flags and their values.
 * `['--profile', 'p', 'computers', 'get', 'x']` gives `['computers', 'get', 'x']`.
 */
export function leadingWords(argv: readonly string[]): string[] {
	const words: string[] = [];
	for (let index = 0; index < argv.length; index++) {
		const part = argv[index] ?? '';
		if (part === '--') break;
		if (!part.startsWith('-') || part === '-') {
			words.push(part);
			continue;
		}
		const flag = [...globalFlags, ...screenFlags].find(({name}) => part === `--${name}`);
		if (flag?.value) index++;
	}
	return words;
}

function commandHelp(command: Command): string {
	const parts = [`Usage: ${usage(command)}`, '', sentence(command.about), ''];
	if (command.detail) parts.push(...wrapped(command.detail), '');
	if (command.flags.length > 0) parts.push(section('Flags', command.flags));
	parts.push(section('Everywhere', globalFlags));
	if (command.examples)
		parts.push('Examples:', ...command.examples.map(line => `  ${ownProgram} ${line}`), '');
	return parts.join('\n');
}

function section(title: string, flags: readonly Flag[]): string {
	return `${title}:\n${rows(flagRows(flags))}`;
}

function rows(pairs: readonly (readonly [string, string])[]): string {
	const width = Math.max(...pairs.map(([left]) => left.length));
	return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}

function flagForm({name, value, short}: Flag): string {
	const form = value ? `--${name} ${value}` : `--${name}`;
	return short ? `-${short}, ${form}` : form;
}

function negatedForm({name, aboutNegated}: Flag): string[] {
	return aboutNegated === undefined ? [] : [`--no-${name}`];
}

/** Lines of at most 80 characters. */
function wrapped(text: string): string[] {
	return text.replace(/(?=.{81})(.{0,80}) /g, '$1\n').split('\n');
}
