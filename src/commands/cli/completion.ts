import {ownEntry} from '../../domain/objects.ts';
import {cleanText} from '../../text/cells/clean.ts';
import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes, UsageError} from './errors.ts';
import {globalFlags, screenFlags} from './flags.ts';
import {findCommand, flagRows, inGroup} from './help.ts';
import {cliStrings} from './strings.ts';
import {commands} from './table.ts';
import {topics} from './topics.ts';

/** Prints a shell's completion script; with words, what may follow them, which the script asks for. */
export async function completion({args: [shell = '', ...words], output}: CommandContext): Promise<ExitCode> {
	const one = ownEntry(shells, shell);
	if (!one) throw new UsageError(cliStrings.usage.unknownShell(shell));
	const text = words.length === 0 ? one.script : candidates(words).map(one.line).join('\n');
	if (text !== '') output.line(cleanText(text, {isDrawn: false}));
	return exitCodes.done;
}

type Candidate = readonly [word: string, about: string];

/** What may follow a command line's words, the last of which is being typed; nothing where that may be a file. */
export function candidates(line: readonly string[]): readonly Candidate[] {
	const current = line.at(-1) ?? '';
	const [, inline] = /^(--[^=]+)=/.exec(current) ?? [];
	const typed: string[] = [];
	/** Whose value is next. */
	let flag: string | undefined;
	for (const word of line.slice(0, -1)) {
		// Bash counts the = of --flag=value as a word.
		if (word === '=') continue;
		if (flag !== undefined) flag = undefined;
		else if (takesValue(word)) flag = word;
		else if (!word.startsWith('-')) typed.push(word);
	}
	const isHelp = typed[0] === 'help';
	const words = isHelp ? typed.slice(1) : typed;
	const flags = isHelp ? [] : [...(findCommand(words)?.flags ?? screenFlags), ...globalFlags];
	const named = flag ?? inline;
	if (named !== undefined) {
		const {choices = []} = flags.find(({name}) => named === `--${name}`) ?? {};
		return choices.map(choice => [inline === undefined ? choice : `${inline}=${choice}`, '']);
	}
	const next = [...followers(words), ...(isHelp && words.length === 0 ? topicWords() : [])];
	if (next.length > 0 && !current.startsWith('-')) return next;
	return flagRows(flags).flatMap(([forms, about]) =>
		forms.split(', ').map(form => [form.replace(/ .*/, ''), about] as const),
	);
}

function takesValue(word: string): boolean {
	return [globalFlags, screenFlags, ...commands.map(({flags}) => flags)]
		.flat()
		.some(({name, value}) => value && word === `--${name}`);
}

/** The words of commands, and the choices of an argument, that may follow those typed. */
function followers(words: readonly string[]): readonly Candidate[] {
	const line = words.join(' ');
	if (words.length === 0) {
		const groups = Map.groupBy(commands, ({path}) => path.split(' ')[0] ?? '');
		return [...groups].map(([word, [first, ...others]]) => [
			word,
			others.length === 0
				? (first?.about ?? '')
				: verbsOf(word)
						.map(([verb]) => verb)
						.join(', '),
		]);
	}
	const {choices = []} = commands.find(({path}) => path === line) ?? {};
	return words.length === 1 && choices.length === 0 ? verbsOf(line) : choices.map(choice => [choice, '']);
}

function verbsOf(group: string): readonly Candidate[] {
	return inGroup(group).flatMap(({path, about}): Candidate[] => {
		const [, verb] = path.split(' ');
		return verb === undefined ? [] : [[verb, about]];
	});
}

/** Topics of the help that are no commands. */
function topicWords(): readonly Candidate[] {
	return Object.entries(topics).filter(([topic]) => inGroup(topic).length === 0);
}

const shells = {
	bash: {
		script: `# bash completion of quarterdeck. Load it with: source <(quarterdeck completion bash)
_quarterdeck() {
	local cur=\${COMP_WORDS[COMP_CWORD]}
	local words=$(quarterdeck completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
	COMPREPLY=($(compgen -W "$words" -- "\${cur#=}"))
}
complete -o default -F _quarterdeck quarterdeck qd`,
		line: ([word]: Candidate) => word,
	},
	zsh: {
		script: `#compdef quarterdeck qd
# zsh completion of quarterdeck. Load it with: source <(quarterdeck completion zsh)
_quarterdeck() {
	local -a found=("\${(@f)$(quarterdeck completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n $found ]]; then _describe quarterdeck found; else _files; fi
}
if [[ \${funcstack[1]} == _quarterdeck ]]; then _quarterdeck "$@"; else compdef _quarterdeck quarterdeck qd; fi`,
		line: ([word, about]: Candidate) => (about === '' ? word : `${word}:${about}`),
	},
	fish: {
		script: `# fish completion of quarterdeck. Load it with: quarterdeck completion fish | source
function __quarterdeck_words
	set -l tokens (commandline -opc)
	set -l found (quarterdeck completion fish -- $tokens[2..] "$(commandline -ct)" 2>/dev/null)
	if set -q found[1]
		printf '%s\\n' $found
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c quarterdeck -f -a '(__quarterdeck_words)'
complete -c qd -w quarterdeck`,
		line: ([word, about]: Candidate) => `${word}\t${about}`,
	},
};
