import {type Command, commands, type Flag, globalFlags, screenFlags} from './table.ts';
import {leadingWords} from './words.ts';

/** The help a command line asks for. */
export function helpFor(argv: readonly string[]): string {
	return helpText(leadingWords(argv));
}

/** The help of the whole program, of a group such as `computers`, or of one command. Ends with a newline. */
function helpText(words: readonly string[]): string {
	const command = findCommand(words);
	if (command) return commandHelp(command);
	const group = commands.filter(({path}) => path.split(' ')[0] === words[0]);
	if (group.length > 0) return `${commandList(group)}\n${section('Everywhere', globalFlags)}`;
	return [
		'Usage: quarterdeck [FLAGS]            open the screen',
		'       quarterdeck COMMAND [FLAGS]    one thing, for scripts',
		'',
		section('Screen', screenFlags),
		'Commands:',
		commandList(commands),
		section('Everywhere', globalFlags),
		'Exit codes: 0 done, 1 the service or a file said no, 2 wrong usage (nothing was sent),',
		'            3 not authorised, 4 not found, 5 outcome unknown, 130 interrupted.',
		'',
	].join('\n');
}

/** The command that the first words name, if they name one. */
export function findCommand(words: readonly string[]): Command | undefined {
	return commands.find(({path}) => path.split(' ').every((word, index) => words[index] === word));
}

export function usage({path, args, flags}: Command): string {
	const shown = flags.map(flag => `[${flagForm(flag)}]${flag.isRepeated ? '...' : ''}`);
	return ['quarterdeck', path, ...args, ...shown].join(' ');
}

function commandHelp(command: Command): string {
	const parts = [`Usage: ${usage(command)}`, '', sentence(command.about), ''];
	if (command.flags.length > 0) parts.push(section('Flags', command.flags));
	parts.push(section('Everywhere', globalFlags));
	return parts.join('\n');
}

function commandList(list: readonly Command[]): string {
	return rows(list.map(({path, args, about}) => [[path, ...args].join(' '), about]));
}

function section(title: string, flags: readonly Flag[]): string {
	return `${title}:\n${rows(flags.map(flag => [flagForm(flag), flag.about]))}`;
}

function rows(pairs: readonly (readonly [string, string])[]): string {
	const width = Math.max(...pairs.map(([left]) => left.length));
	return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}

function flagForm({name, value}: Flag): string {
	return value ? `--${name} ${value}` : `--${name}`;
}

function sentence(text: string): string {
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
