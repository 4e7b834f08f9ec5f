import {ownEntry} from '../../domain/objects.ts';
import {cleanText} from '../../text/cells/clean.ts';
import type {Command, Flag} from './command.ts';
import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes, UsageError} from './errors.ts';
import {globalFlags, screenFlags} from './flags.ts';
import {flagRows, inGroup} from './help.ts';
import {cliStrings} from './strings.ts';
import {commands} from './table.ts';
import {topics} from './topics.ts';

/** Prints a shell's completion script for commands and flags, generated from the command table. */
export async function completion({args: [shell = ''], output}: CommandContext): Promise<ExitCode> {
	const write = ownEntry(scripts, shell);
	if (!write) throw new UsageError(cliStrings.usage.unknownShell(shell));
	output.line(cleanText(write().trimEnd(), {maxLength: 1024 * 1024, isDrawn: false}));
	return exitCodes.done;
}

const scripts = {bash: bashScript, zsh: zshScript, fish: fishScript};

type Candidate = readonly [word: string, about: string];

/** Maps leading words to the words that may follow: `''` at the start, `computers` for its verbs. */
function nextWords(): ReadonlyMap<string, readonly Candidate[]> {
	const next = new Map<string, Candidate[]>([['', []]]);
	for (const {path, about} of commands) {
		const [group = '', verb] = path.split(' ');
		if (verb === undefined) next.get('')?.push([group, about]);
		else if (next.has(group)) next.get(group)?.push([verb, about]);
		else next.set(group, [[verb, about]]);
	}
	for (const [group, verbs] of next)
		if (group !== '') next.get('')?.push([group, verbs.map(([verb]) => verb).join(', ')]);
	for (const {path, choices = []} of commands)
		if (choices.length > 0)
			next.set(
				path,
				choices.map(choice => [choice, '']),
			);
	return next;
}

/** Topics of the help that are no commands: what may follow `help`, too. */
function topicWords(): readonly Candidate[] {
	return Object.entries(topics).filter(([topic]) => inGroup(topic).length === 0);
}

/** Every form of a command's flags, or of the screen's: `-h`, `--help`, `--no-tag`. */
function formsOf(command: Command | undefined): readonly Candidate[] {
	return flagRows(flagsOf(command)).flatMap(([forms, about]) =>
		forms.split(', ').map(form => [form.replace(/ .*/, ''), about] as const),
	);
}

function flagsOf(command: Command | undefined): readonly Flag[] {
	return [...(command ? command.flags : screenFlags), ...globalFlags];
}

function valueForms(): readonly string[] {
	const all = [globalFlags, screenFlags, ...commands.map(({flags}) => flags)].flat();
	return [...new Set(all.filter(({value}) => value).map(({name}) => `--${name}`))];
}

function isFile({value}: Flag): boolean {
	return value === 'FILE' || value === 'FOLDER';
}

/** One `case` line in shell syntax for each command and flag that takes a value. */
function valueCases(word: (flag: Flag) => string): string[] {
	return [undefined, ...commands].flatMap(command =>
		flagsOf(command)
			.filter(({value}) => value)
			.map(flag => `\t\t(${quoted(`${command?.path ?? ''} --${flag.name}`)}) ${word(flag)} ;;`),
	);
}

/** A pattern matching `$1 $2` for each command, with the shell code to run. */
function commandCases(word: (command: Command) => string): string[] {
	return commands.map(command => {
		const pattern = command.path.includes(' ') ? quoted(command.path) : `${quoted(`${command.path} `)}*`;
		return `\t\t(${pattern}) ${word(command)} ;;`;
	});
}

function bashScript(): string {
	const words = (candidates: readonly Candidate[]) => quoted(candidates.map(([word]) => word).join(' '));
	return `# bash completion of quarterdeck. Load it with: source <(quarterdeck completion bash)
_quarterdeck() {
	local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= flags=${words(formsOf(undefined))} next= i
	local -a typed=()
	# Bash counts the = of --flag=value as a word.
	if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
	for ((i = 1; i < COMP_CWORD; i++)); do
		case \${COMP_WORDS[i]} in
		(${valueForms().join('|')}) i=$((i + 1)); [[ \${COMP_WORDS[i]-} == = ]] && i=$((i + 1)) ;;
		(-*) ;;
		(*) typed+=("\${COMP_WORDS[i]}") ;;
		esac
	done
	local isHelp=
	if [[ \${typed[0]-} == help ]]; then isHelp=1 flags= typed=("\${typed[@]:1}"); fi
	case "\${typed[0]-} \${typed[1]-}" in
${commandCases(command => `command=${quoted(command.path)} flags=${words(formsOf(command))}`).join('\n')}
	esac
	[[ $isHelp ]] && flags=
	case "$command $prev" in
${valueCases(flag => (isFile(flag) ? 'compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")); return' : `COMPREPLY=($(compgen -W ${quoted((flag.choices ?? []).join(' '))} -- "$cur")); return`)).join('\n')}
	esac
	case "\${typed[*]-}" in
${[...nextWords()].map(([before, candidates]) => `\t\t(${quoted(before)}) next=${words(candidates)} ;;`).join('\n')}
	esac
	[[ $isHelp && \${#typed[@]} == 0 ]] && next+=${words([['', ''], ...topicWords()])}
	[[ $cur == -* || -z $next ]] && next=$flags
	COMPREPLY=($(compgen -W "$next" -- "$cur"))
}
complete -o default -F _quarterdeck quarterdeck qd
`;
}

function zshScript(): string {
	const described = (candidates: readonly Candidate[]) =>
		candidates.map(([word, about]) => quoted(about === '' ? word : `${word}:${about}`)).join(' ');
	return `#compdef quarterdeck qd
# zsh completion of quarterdeck. Load it with: source <(quarterdeck completion zsh)
_quarterdeck() {
	local cur=\${words[CURRENT]} prev=\${words[CURRENT - 1]} command= isHelp= i
	local -a typed next flags=(${described(formsOf(undefined))})
	if [[ $cur == --*=* ]]; then prev=\${cur%%=*}; compset -P '*='; fi
	for ((i = 2; i < CURRENT; i++)); do
		case \${words[i]} in
		(${valueForms().join('|')}) i=$((i + 1)) ;;
		(-*) ;;
		(*) typed+=("\${words[i]}") ;;
		esac
	done
	if [[ \${typed[1]} == help ]]; then isHelp=1; shift typed; fi
	case "\${typed[1]} \${typed[2]}" in
${commandCases(command => `command=${quoted(command.path)}; flags=(${described(formsOf(command))})`).join('\n')}
	esac
	[[ -n $isHelp ]] && flags=()
	case "$command $prev" in
${valueCases(flag => (isFile(flag) ? '_files; return' : `compadd -- ${(flag.choices ?? []).join(' ')}; return`)).join('\n')}
	esac
	case "\${typed[*]}" in
${[...nextWords()].map(([before, candidates]) => `\t\t(${quoted(before)}) next=(${described(candidates)}) ;;`).join('\n')}
	esac
	[[ -n $isHelp && \${#typed} == 0 ]] && next+=(${described(topicWords())})
	if [[ $cur == -* || \${#next} == 0 ]]; then
		_describe -o flag flags
	else
		_describe command next
	fi
}
if [[ \${funcstack[1]} == _quarterdeck ]]; then _quarterdeck "$@"; else compdef _quarterdeck quarterdeck qd; fi
`;
}

function fishScript(): string {
	const flagLines = (condition: string, flags: readonly Flag[]) =>
		flags.flatMap(({name, short, value, choices, about, aboutNegated, ...rest}) => {
			const takes = !value ? '' : isFile({name, value, about, ...rest}) ? ' -rF' : ' -x';
			const values = choices ? ` -a ${fishQuoted(choices.join(' '))}` : '';
			const line = (forms: string, words: string) =>
				`complete -c quarterdeck${condition} ${forms} -d ${fishQuoted(words)}`;
			return [
				line(`${short ? `-s ${short} ` : ''}-l ${name}${takes}${values}`, about),
				...(aboutNegated === undefined ? [] : [line(`-l no-${name}`, aboutNegated)]),
			];
		});
	return `# fish completion of quarterdeck. Load it with: quarterdeck completion fish | source
function __quarterdeck_words
	set -l tokens (commandline -opc)
	set -l isValue 0
	for token in $tokens[2..]
		if test $isValue = 1
			set isValue 0
			continue
		end
		switch $token
			case ${valueForms().join(' ')}
				set isValue 1
			case '-*'
			case '*'
				echo $token
		end
	end
end
# The words so far are exactly these, or these after help.
function __quarterdeck_are
	set -l typed (__quarterdeck_words | string join ' ')
	test "$typed" = "$argv"; or test "$typed" = (string trim -- "help $argv")
end
# The words so far begin with these.
function __quarterdeck_begin
	set -l typed (__quarterdeck_words | string join ' ')
	string match -q -- "$argv *" "$typed "
end
function __quarterdeck_is_screen
	test -z "$(__quarterdeck_words)"
end
complete -c quarterdeck -f
${[...nextWords(), ['help', topicWords()] as const].flatMap(([before, candidates]) => candidates.map(([word, about]) => `complete -c quarterdeck -n ${fishQuoted(`__quarterdeck_are ${before}`.trim())} -a ${word}${about === '' ? '' : ` -d ${fishQuoted(about)}`}`)).join('\n')}
${flagLines('', globalFlags).join('\n')}
${flagLines(' -n __quarterdeck_is_screen', screenFlags).join('\n')}
${commands.flatMap(({path, flags}) => flagLines(` -n ${fishQuoted(`__quarterdeck_begin ${path}`)}`, flags)).join('\n')}
complete -c qd -w quarterdeck
`;
}

/** Quotes a word for bash and zsh. */
function quoted(text: string): string {
	return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function fishQuoted(text: string): string {
	return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
